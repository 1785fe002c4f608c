"""A headless Chromium on one file, driven through Debian's chromedriver."""

import base64
import json
import shutil
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

CHROMIUM = shutil.which("chromium")
DRIVER = shutil.which("chromedriver")
# The switches of a browser in a container, and silence: it phones nobody by itself.
SWITCHES = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
    "--hide-scrollbars", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run",
)  # fmt: skip


class Browser:
    """One page in one browser."""

    def __init__(self, page: Path) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = str(CHROMIUM)
        for switch in SWITCHES:
            options.add_argument(switch)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(str(DRIVER)))
        self.address = page.resolve().as_uri()

    def command(self, name: str, **values: Any) -> Any:
        """Send a command of the DevTools protocol."""
        return self.driver.execute_cdp_cmd(name, values)

    def open(
        self, width: int = 1280, *, dark: bool = False, script: bool = True, media: str = "screen"
    ) -> None:
        """Load the page afresh."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.command("Emulation.setScriptExecutionDisabled", value=not script)
        self.command("Emulation.setEmulatedMedia", media=media, features=[scheme])
        self.command(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=900, deviceScaleFactor=1, mobile=width < 500,
        )  # fmt: skip
        self.driver.get(self.address)

    def run(self, code: str, *values: Any) -> Any:
        """Run JavaScript in the page, which its policy does not forbid to a debugger."""
        return self.driver.execute_script(code, *values)

    def choose(self, selector: str, value: str) -> None:
        """Choose an option of a select, or fill an input, as a person does."""
        self.run(
            "const e = document.querySelector(arguments[0]); e.value = arguments[1];"
            "for (const kind of ['input', 'change'])"
            " e.dispatchEvent(new Event(kind, {bubbles: true}))",
            selector,
            value,
        )

    def messages(self) -> list[dict[str, Any]]:
        """What the console holds since it was last asked."""
        return list(self.driver.get_log("browser"))

    def requests(self) -> dict[str, str]:
        """Every address asked for since it was last asked, and why it was blocked, if it was."""
        asked: dict[str, str] = {}
        found: dict[str, str] = {}
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            values = message["params"]
            if message["method"] == "Network.requestWillBeSent":
                asked[values["requestId"]] = str(values["request"]["url"])
                found[str(values["request"]["url"])] = ""
            elif message["method"] == "Network.loadingFailed" and values["requestId"] in asked:
                found[asked[values["requestId"]]] = str(values.get("blockedReason", ""))
        return found

    def pdf(self) -> bytes:
        """The page as it is printed on A4."""
        self.command("Emulation.setEmulatedMedia", media="", features=[])
        made = self.command("Page.printToPDF", printBackground=True, paperWidth=8.27)
        return base64.b64decode(made["data"])
