#!/usr/bin/env python3
"""Opens the pages that `pushetl report` writes in headless Chromium: 360 and 1,440 pixels wide, light and dark, and as PDF.

    sudo apt-get install -y chromium chromium-driver poppler-utils
    python3 -m venv venv && venv/bin/pip install selenium axe-playwright-python
    venv/bin/python Tests/Interfaces/report-page.py .build/release/pushetl

The pages are those of the sample logs and of push.db files with figures that are hard to show. For each, axe must find no
fault, nothing may be wider than the page, and the browser must not load anything.
"""
import base64
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

import axe_playwright_python

from common import DATES, ROOT

AXE = Path(axe_playwright_python.__file__).parent / "axe.min.js"
# Pages whose tables have hundreds of rows: axe looks at them with their tables closed, else it takes minutes.
LONG = {"two-years"}
# Labels that could break a page.
LABELS = [
    "<script>document.title = 'broken'</script>", "חדש: מבצע סוף שבוע", "🎉 Members only 🎉",
    "W" * 200, "a\x9b31m\u202eb", "' onload='x", "Black Friday, wave 2",
]
SQL = {
    "labels": [
        f"UPDATE {table} SET label = '{quoted}' WHERE delivery_id IN (SELECT delivery_id FROM delivery_results "
        f"ORDER BY messages DESC LIMIT 1 OFFSET {n})"
        for n, quoted in enumerate(label.replace("'", "''") for label in LABELS) for table in ("deliveries", "delivery_results")
    ],
    "no-impressions": [
        "UPDATE daily_totals SET impressed = 0, opened_impressed = 0",
        "UPDATE daily_funnel SET impressed = 0, opened_impressed = 0",
    ],
    "large": [
        f"UPDATE {table} SET " + ", ".join(f"{column} = {column} * 100000" for column in (
            "messages", "arrived", "impressed", "clicked", "opened", "dismissed", "opened_impressed", "opened_seen",
            "opened_1h", "opened_2h", "opened_6h", "opened_12h", "opened_24h", "opened_72h", "opened_7d"))
        for table in ("daily_totals", "daily_funnel", "delivery_results")
    ],
}


def run(program, folder, *arguments):
    subprocess.run([program, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def pages(program, folder):
    """Writes the pages, and gives their paths."""
    for name in ("Pipelines", "SampleLogs"):
        shutil.copytree(ROOT / name, folder / name)
    run(program, folder, "backfill", "-q", "--from", DATES[0], "--to", DATES[-1])
    output = folder / "warehouse"
    run(program, folder, "report", "-q", "--out", "sample.html")
    run(program, folder, "report", "-q", "--from", DATES[0], "--to", DATES[-1], "--compare", "none", "--out", "three-days.html")
    run(program, folder, "report", "-q", "--from", DATES[-1], "--compare", "week", "--out", "one-day.html")
    run(program, folder, "report", "-q", "--from", "2020-01-01", "--to", "2020-01-31", "--out", "before.html")
    run(program, folder, "report", "-q", "--from", "2024-11-20", "--out", "two-years.html")
    yield from (folder / f"{name}.html" for name in ("sample", "three-days", "one-day", "before", "two-years"))
    # An index with a link to one week, and no month.
    for kind in ("collector", "mzip", "users_track"):
        shutil.copytree(folder / "SampleLogs" / kind / DATES[-1], folder / "SampleLogs" / kind / "2026-11-22")
    run(program, folder, "run", "-q", "--date", "2026-11-22")
    run(program, folder, "report", "-q", "--archive", "archive")
    yield from (folder / "archive" / name for name in ("index.html", "2026/W47.html"))
    yield from sorted((folder / "archive/campaigns").iterdir())[:2]
    for name, statements in SQL.items():
        other = folder / name
        other.mkdir()
        database = sqlite3.connect(shutil.copy(output / "push.db", other))
        for statement in statements:
            database.execute(statement)
        database.commit()
        database.close()
        run(program, folder, "report", "-q", "--output", str(other), "--from", DATES[0], "--out", f"{name}.html")
        yield folder / f"{name}.html"


def browser():
    options = Options()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--force-color-profile=srgb", "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    driver.set_script_timeout(300)
    return driver


def set_page(driver, width, scheme):
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
    driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})


def requests(driver):
    """The addresses that the browser has asked for."""
    messages = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]


WIDER = """
return [...document.querySelectorAll('body *')].filter(e => {
  if (e.closest('.scroll') && !e.matches('.scroll')) return false;
  const style = getComputedStyle(e);
  if (style.position === 'absolute' || e.closest('defs')) return false;
  const box = e.getBoundingClientRect();
  return box.width > 0 && (box.right > innerWidth + 1 || box.left < -1);
}).slice(0, 5).map(e => e.outerHTML.slice(0, 160));
"""


def check(driver, page, width, scheme):
    faults = []
    set_page(driver, width, scheme)
    # What was asked for by the page before is no fault of this one.
    requests(driver)
    driver.get(page.as_uri())
    if driver.title == "broken":
        faults.append("a label was run as a script")
    loaded = [url for url in requests(driver) if url != page.as_uri() and not url.startswith("data:")]
    if loaded:
        faults.append(f"loads {loaded}")
    if driver.execute_script("return document.documentElement.scrollWidth > innerWidth"):
        faults.append("the page scrolls sideways")
    faults += [f"is wider than the page: {element}" for element in driver.execute_script(WIDER)]
    driver.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
    if driver.execute_script("return document.documentElement.scrollWidth > innerWidth"):
        faults.append("the page scrolls sideways with its tables open")
    if page.stem in LONG:
        driver.execute_script("document.querySelectorAll('details').forEach(d => d.open = false)")
    driver.execute_script(AXE.read_text())
    result = driver.execute_async_script("axe.run().then(arguments[arguments.length - 1])")
    for violation in result["violations"]:
        for node in violation["nodes"][:3]:
            faults.append(f"axe: {violation['id']}: {violation['help']}: {node['html'][:160]}")
    driver.execute_script("document.querySelectorAll('details').forEach(d => d.open = false)")
    return faults


def print_pdf(driver, page):
    """The page as PDF; what is wrong with it."""
    set_page(driver, 1440, "light")
    driver.get(page.as_uri())
    pdf = driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True, "paperWidth": 8.27, "paperHeight": 11.69})
    path = page.with_suffix(".pdf")
    path.write_bytes(base64.b64decode(pdf["data"]))
    text = subprocess.run(["pdftotext", "-layout", path, "-"], check=True, capture_output=True, text=True).stdout
    is_whole = any(words in text for words in ("What the words mean", "Nothing is loaded", "All weeks, months and campaigns"))
    return ([] if is_whole else ["the PDF is not whole"]) + alone(driver, text) + folded(driver, text)


def texts(driver, selector):
    """The words of each such element that is printed."""
    words = "return [...document.querySelectorAll(arguments[0])].filter(e => !e.closest('details:not([open])')).map(e => e.innerText)"
    return [text.split() for text in driver.execute_script(words, selector)]


def alone(driver, text):
    """Headings and heads of tables with which a printed page ends."""
    headings = texts(driver, "h2, h3")
    heads = texts(driver, "thead")
    last = [lines[-1].split() for lines in (page.strip().splitlines() for page in text.split("\f")) if lines]
    return [
        f"a page ends with {' '.join(words)!r}" for words in last
        if words in headings or len(words) > 1 and any(set(words) <= set(head) for head in heads)
    ]


def folded(driver, text):
    """Rows that are folded on the screen, and are missing in print. A row's name ends with the id of a delivery, which may be long."""
    return [f"{row[-1]} is not printed" for row in texts(driver, ".begun .more th") if row and row[-1][:12] not in text]


def main():
    count = failed = 0
    with browser() as driver, tempfile.TemporaryDirectory(prefix="pushetl-") as folder:
        for page in pages(os.path.abspath(sys.argv[1]), Path(folder).resolve()):
            for width in (360, 1440):
                for scheme in ("light", "dark"):
                    for fault in check(driver, page, width, scheme):
                        failed += 1
                        print(f"{page.name}, {width} pixels, {scheme}: {fault}")
            for fault in print_pdf(driver, page):
                failed += 1
                print(f"{page.name}, PDF: {fault}")
            count += 1
    print(f"{count} pages in two widths and two schemes, and as PDF: {failed or 'no'} fault{'' if failed == 1 else 's'}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
