// Opens pages in Chromium and uses them as a person does: node drive.js CHROMIUM SMALL.html LARGE.html DEEP.html SHOTS
"use strict";
const assert = require("assert");
const puppeteer = require("puppeteer-core");

const [executablePath, small, large, deep, shots] = process.argv.slice(2);

const text = (page, selector) => page.$eval(selector, (element) => element.textContent);
const here = (page) => page.$eval(".row.here .words", (element) => element.firstChild.textContent);

async function open(browser, path, size) {
  const page = await browser.newPage(), problems = [];
  page.on("pageerror", (problem) => problems.push(problem.message));
  page.on("request", (request) => { if (!/^(file|data):/.test(request.url())) problems.push(`network: ${request.url()}`); });
  await page.setViewport(size);
  await page.goto(`file://${path}`);
  page.problems = problems;
  return page;
}

async function byKeys(page) {
  assert.equal(await text(page, ".verdict"), "UNSAFE");
  assert.match(await text(page, ".what h2"), /assertion failed: balance == 150/);
  assert.equal(await text(page, ".where"), "step 1 · 1/5");
  const lines = [], values = [];
  for (let i = 0; i < 4; i++) {
    lines.push(Number(await text(page, ".source .here .n")));
    values.push(await text(page, ".memory tr td b"));
    await page.keyboard.press("ArrowRight");
  }
  assert.deepEqual(lines, [19, 19, 20, 20]);
  assert.deepEqual(values, ["0", "0", "100", "50"]);
  assert.equal(await text(page, ".where"), "failure · 5/5");
  assert.equal(await text(page, ".source .bad .n"), "35");
  assert.match(await text(page, ".source .bad .code"), /assert\(balance == 150\)/);
  assert.equal(await text(page, ".source .bad .marks"), "T0");
  assert.match(await here(page), /^assert/);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await text(page, ".where"), "step 4 · 4/5");
  assert.equal(await text(page, ".memory .old"), "100");
  await page.keyboard.press("Home");
  assert.equal(await text(page, ".where"), "step 1 · 1/5");
  assert.equal((await page.$$("svg path[marker-end]")).length, 2, "two arrows");
}

/* Where it was decided, and what would have been fine, beside each other. */
async function besidePassing(page) {
  assert.match(await text(page, ".story"), /^step 2 decides: .*; fine instead: T2 /);
  assert.equal(await text(page, ".row.decisive .number"), "2");
  const [fails, passes] = await page.$$eval(".other .differs", (lines) => lines.map((line) => line.textContent));
  assert.match(fails, /^2  T1  /);
  assert.match(passes, /^2  T2  /);
  await page.click(".other.fails .differs");
  assert.equal(await text(page, ".where"), "step 2 · 2/5");
  await page.$eval(".other", (element) => element.scrollIntoView());
}

/* A leaf for each execution, one of them failing; nothing moves when it is looked at. */
async function explorationTree(page) {
  assert.match(await text(page, ".exploration h3"), /^exploration tree: all executions$/);
  const executions = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent)[0].report.executions);
  const leaves = await page.$$eval(".exploration .leaf title", (titles) => titles.map((title) => title.textContent));
  assert.equal(leaves.length, executions);
  assert.equal((await page.$$(".exploration .leaf.failed")).length, 1);
  assert.match(leaves[0], /^execution \d+: (complete|failed), \d+ steps: T\d/);
  await page.$eval(".exploration", (element) => element.scrollIntoView());
}

async function byClicks(page) {
  await page.click(".row:nth-child(3)");
  assert.equal(await text(page, ".where"), "step 3 · 3/5");
  await page.click("#forward");
  assert.equal(await text(page, ".where"), "step 4 · 4/5");
  await page.click("#first");
  await page.click('.chip[data-thread="1"]'); // steps of thread 1 are passed over now
  await page.click("#forward");
  assert.equal(await text(page, ".where"), "step 4 · 4/5");
  await page.click('.chip[data-thread="1"]');
  await page.click("#first");
  await page.keyboard.press("/");
  await page.keyboard.type("before +");
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowRight");
  assert.equal(await text(page, ".where"), "step 3 · 3/5");
  await page.click(".bar input", { clickCount: 3 });
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Escape");
  const before = await page.$eval("html", (html) => html.dataset.theme);
  await page.keyboard.press("t");
  assert.notEqual(await page.$eval("html", (html) => html.dataset.theme), before);
}

async function fitsPhone(page) {
  for (const key of ["Home", "End"]) {
    await page.keyboard.press(key);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `${wide} pixels wide`);
  }
}

async function onPhone(page) {
  await fitsPhone(page);
  await page.click("#last");
  assert.equal(await text(page, ".source .bad .n"), "35");
}

async function manyEvents(page) {
  await page.keyboard.press("End");
  const [where, , total] = (await text(page, ".where")).match(/(\w+) · (\d+)\/(\d+)/).slice(1);
  assert.equal(where, "failure");
  assert.ok(Number(total) > 5000, total);
  assert.ok((await page.$$(".row")).length < 80, "only what can be seen is drawn");
  const milliseconds = await page.evaluate(() => {
    const begun = performance.now();
    for (let i = 0; i < 100; i++) {
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft" }));
      document.body.offsetHeight; // with the layout
    }
    return (performance.now() - begun) / 100;
  });
  console.log(`a step takes ${milliseconds.toFixed(1)} ms of ${total} events`);
  assert.ok(milliseconds < 50, `${milliseconds} ms for a step`);
}

(async () => {
  const browser = await puppeteer.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"], headless: true });
  try {
    const desk = { width: 1280, height: 860 }, phone = { width: 390, height: 844 };
    for (const [name, path, size, use] of [["keys", small, desk, byKeys], ["clicks", small, desk, byClicks], ["beside", small, desk, besidePassing], ["tree", small, desk, explorationTree], ["phone", small, phone, onPhone], ["deep", deep, phone, fitsPhone],
      ["many", large, desk, manyEvents]]) {
      const page = await open(browser, path, size);
      await use(page);
      await page.screenshot({ path: `${shots}/${name}.png` });
      assert.deepEqual(page.problems, []);
    }
  } finally {
    await browser.close();
  }
})().catch((problem) => { console.error(problem.stack); process.exit(1); });
