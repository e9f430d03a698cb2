"""Draw README's picture of a live graph: `python docs/make_live_graph.py` writes docs/live.png.

It needs the extra `browser` and Chromium (its path in $CHROMIUM, or /usr/bin/chromium).
"""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

import minigrad as torch
from minigrad.viz import draw, record

with record():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor([3.0, -1.0], requires_grad=True)
    loss = (x * w).tanh().sum()
    loss.backward()

with TemporaryDirectory() as place, sync_playwright() as playwright:
    page_file = Path(place) / "graph.html"
    draw(loss).save(page_file)
    browser = playwright.chromium.launch(
        executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"]
    )
    page = browser.new_page(viewport={"width": 1120, "height": 600}, device_scale_factor=2)
    page.goto(page_file.as_uri())
    page.locator("g.box[aria-label^='TanhBackward0,']").click()
    page.locator(".minigrad-live").screenshot(path=Path(__file__).with_name("live.png"))
    browser.close()
