// Makes doc/pictures/page.webp, the picture of the page in the README:
//   node tools/page_picture.js NODE_MODULES CHROMIUM PAGE.html PICTURE.webp
// (NODE_MODULES has puppeteer-core, as the test of the page leaves it in BUILD/page/; PAGE.html is
// mazurka check examples/bank.c --check=assertions --html=PAGE.html)
"use strict";
const path = require("path");
const [modules, executablePath, page, picture] = process.argv.slice(2);
const puppeteer = require(path.resolve(modules, "puppeteer-core"));

(async () => {
  const browser = await puppeteer.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"], headless: true });
  try {
    const tab = await browser.newPage();
    await tab.setViewport({ width: 1180, height: 880 });
    await tab.goto(`file://${path.resolve(page)}`);
    for (let i = 0; i < 3; i++) await tab.keyboard.press("ArrowRight");
    await tab.screenshot({ path: picture, type: "webp", quality: 80 });
  } finally {
    await browser.close();
  }
})().catch((problem) => { console.error(problem.stack); process.exit(1); });
