"""Photograph MLflow's UI on this project's store: `python docs/screenshots.py`.

Starts `isogloss ui` on a free port, opens its pages in headless Chromium (Debian's `chromium` and
`chromium-driver`) and writes docs/figures/mlflow-*.png. Needs the runs of `make run`.
"""

import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.webdriver import WebDriver

from isogloss.project import find_project
from isogloss.tracking.experiments import links
from isogloss.tracking.store import open_store

FIGURES = Path(__file__).parent / "figures"
LARGEST = 300_000
SECONDS = 180
SIZE = "1500,760"
WIDE = (2600, 640)
EXPERIMENT = "retrieval/tico19-cloze"
# MLflow opens an assistant and its tours on a first visit; neither is the subject here.
SEEN = """
localStorage.setItem('mlflow.assistant.panelOpen_v1', 'false');
localStorage.setItem('mlflow.assistant.fab.autoOpenedOnFirstLoad_v1', 'true');
localStorage.setItem('mlflow.workflowType_v1', '"machine_learning"');
"""


def browser() -> WebDriver:
    """Headless Chromium of this system."""
    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for argument in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage"):
        options.add_argument(f"--{argument}")
    options.add_argument(f"--window-size={SIZE}")
    options.add_argument("--hide-scrollbars")
    return webdriver.Chrome(options=options, service=Service(str(shutil.which("chromedriver"))))


def until(holds: Callable[[], bool], what: str) -> None:
    """Wait for something that takes as long as the machine is busy."""
    end = time.monotonic() + SECONDS
    while not holds():
        if time.monotonic() > end:
            raise SystemExit(f"{what}: not there after {SECONDS} s")
        time.sleep(0.5)


def shoot(page: WebDriver, name: str, address: str, words: list[str]) -> None:
    """Open a page, wait for words on it, let it settle, and keep the picture."""
    page.get("about:blank")
    page.get(address)

    def shown() -> bool:
        text = str(page.execute_script("return document.body ? document.body.innerText : ''"))  # type: ignore[no-untyped-call]
        return all(word in text for word in words)

    until(shown, f"{name}: {', '.join(words)}")
    time.sleep(5)
    path = FIGURES / f"mlflow-{name}.png"
    page.save_screenshot(str(path))
    if path.stat().st_size > LARGEST:
        raise SystemExit(f"{path}: {path.stat().st_size} bytes, {LARGEST} are allowed")
    print(f"{path}: {path.stat().st_size // 1000} KB")


def main() -> None:
    """Start the UI, take the pictures, end the UI."""
    project = find_project()
    store = open_store(project)
    found = store.client.get_experiment_by_name(EXPERIMENT)
    if found is None:
        raise SystemExit(f"{EXPERIMENT}: no such experiment; make run first")
    runs = [run.info.run_id for run in store.client.search_runs([found.experiment_id])]
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    pages = dict(line.split(": ", 1) for line in links(store, address))
    named = ",".join(f'"{run}"' for run in runs)
    compared = f'{address}/#/compare-runs?runs=[{named}]&experiments=["{found.experiment_id}"]'
    program = Path(sys.executable).with_name("isogloss")
    server = subprocess.Popen([str(program), "ui", "--port", str(port)])
    try:
        until(lambda: _answers(address), address)
        page = browser()
        try:
            page.get(address)
            page.execute_script(SEEN)  # type: ignore[no-untyped-call]
            shoot(page, "runs", pages[EXPERIMENT], ["recall_at_10/cross", "minilm-l6-en"])
            shoot(page, "compare", compared, ["minilm-l6-en", "Parameters"])
            # Its figures stand to the right of what MLflow says about each model.
            page.set_window_size(*WIDE)
            shoot(page, "models", pages["models"], ["minilm-l6-en", "Ready"])
        finally:
            page.quit()
    finally:
        server.terminate()
        server.wait(timeout=60)


def _answers(address: str) -> bool:
    try:
        urllib.request.urlopen(f"{address}/health", timeout=2).close()
    except OSError:
        return False
    return True


if __name__ == "__main__":
    main()
