"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const all = (selector, from = document) => Array.from(from.querySelectorAll(selector));
  const one = (selector, from = document) => from.querySelector(selector);

  // Benchmark and model: what does not belong to the choice is hidden; print shows everything.
  const target = one("#pick-target");
  const model = one("#pick-model");
  function show() {
    for (const panel of all("[data-target].panel")) {
      const fits = target.value === "all" || panel.dataset.target === target.value;
      panel.hidden = !fits;
      panel.classList.toggle("js-only", false);
    }
    for (const block of all("[data-for-model]")) {
      block.hidden = model.value !== "all" && block.dataset.forModel !== model.value;
      if (block.tagName === "DETAILS" && model.value === block.dataset.forModel) block.open = true;
    }
    for (const row of all("tr[data-model]")) {
      row.classList.toggle("picked", row.dataset.model.split(" ").includes(model.value));
    }
    for (const line of all("g.line")) {
      const other = model.value !== "all" && line.dataset.model !== model.value;
      line.classList.toggle("faded", other);
    }
    const said = (select) => select.options[select.selectedIndex].text;
    one("#shown").textContent = `Showing ${said(target)}; models: ${said(model)}.`;
  }
  if (target && model && target.options.length) {
    target.addEventListener("change", show);
    model.addEventListener("change", show);
    one(".pickers").addEventListener("submit", (event) => event.preventDefault());
    show();
  }

  // Sorting: numbers before words, undefined cells last whichever way.
  function keyOf(row, column) {
    const cell = row.cells[column];
    const text = cell.dataset.v ?? (cell.tagName === "TH" ? cell.textContent.trim() : "");
    const number = Number(text);
    return text === "" ? null : Number.isNaN(number) ? text : number;
  }
  function compare(a, b, sign) {
    if (a === null || b === null) return (a === null) - (b === null);
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
    return sign * (typeof a === "number" ? a - b : a.localeCompare(b, "en"));
  }
  function columnOf(heading) {
    // The place of a heading's cells in a body row, headings in two rows counted.
    const taken = [];
    const rows = heading.closest("thead").rows;
    for (let r = 0; r < rows.length; r += 1) {
      let place = 0;
      for (const cell of rows[r].cells) {
        while (taken[r]?.[place]) place += 1;
        if (cell === heading) return place;
        for (let down = 0; down < cell.rowSpan; down += 1) {
          taken[r + down] ??= [];
          for (let side = 0; side < cell.colSpan; side += 1) taken[r + down][place + side] = true;
        }
        place += cell.colSpan;
      }
    }
    return -1;
  }
  for (const heading of all("th[data-sort]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const column = columnOf(heading);
      const down = heading.getAttribute("aria-sort") !== "descending";
      for (const other of all("th[aria-sort]", heading.closest("thead"))) {
        other.removeAttribute("aria-sort");
      }
      heading.setAttribute("aria-sort", down ? "descending" : "ascending");
      const body = heading.closest("table").tBodies[0];
      const rows = Array.from(body.rows);
      rows.sort((a, b) => compare(keyOf(a, column), keyOf(b, column), down ? -1 : 1));
      body.append(...rows);
    });
  }

  // One route, all models.
  for (const picker of all(".route-picker")) {
    const source = one(".pick-source", picker);
    const to = one(".pick-route-target", picker);
    const filter = () => {
      const rows = all("tbody tr", picker);
      for (const row of rows) {
        row.hidden =
          (source.value !== "" && row.dataset.source !== source.value) ||
          (to.value !== "" && row.dataset.target !== to.value);
      }
      const left = rows.filter((row) => !row.hidden).length;
      one(".route-count", picker).textContent = `${left} of ${rows.length} routes`;
    };
    source.addEventListener("change", filter);
    to.addEventListener("change", filter);
    // A long list begins with the routes from one language.
    if (all("tbody tr", picker).length > 12 && source.options.length > 1) source.selectedIndex = 1;
    filter();
  }

  // What a coverage costs at a price per document.
  const price = one("#price");
  const queries = one("#queries");
  function cost() {
    const each = price.value === "" ? NaN : Number(price.value) * Number(queries.value);
    const known = Number.isFinite(each) && each >= 0;
    const money = (depth) => {
      const value = depth * each;
      const digits = value < 10 ? 2 : 0;
      return value.toLocaleString("en", { maximumFractionDigits: digits });
    };
    for (const cell of all("#budget td[data-v]")) {
      one(".cost", cell)?.remove();
      const depth = Number(cell.dataset.v);
      if (!known || Number.isNaN(depth) || !cell.dataset.depth) continue;
      const line = document.createElement("span");
      line.className = "cost";
      const { low, high } = cell.dataset;
      const end = high === ">1000" ? `>${money(1000)}` : high === undefined ? "" : money(Number(high));
      line.textContent = money(depth) + (low === undefined ? "" : ` [${money(Number(low))}, ${end}]`);
      cell.append(line);
    }
    one("#priced").textContent = known ? `Costs stand below the depths, for ${queries.value} queries.` : "";
  }
  if (price) {
    price.addEventListener("input", cost);
    queries.addEventListener("input", cost);
    for (const table of all("#budget table")) {
      for (const row of table.tBodies[0].rows) {
        for (const cell of Array.from(row.cells).slice(1, -1)) cell.dataset.depth = "1";
      }
    }
    cost();
  }

  // Paper has no closed parts.
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = all("details:not([open])");
    for (const part of closed) part.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const part of closed) part.open = false;
  });
})();
