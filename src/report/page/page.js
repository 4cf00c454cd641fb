"use strict";
/* The page of a report. Only the rows that can be seen are elements, so that thousands of events stay fluid. */
(function () {
  const HEIGHT = 44, LEFT = 60, DATA = JSON.parse(document.getElementById("data").textContent);
  const page = document.getElementById("page");
  const at = { report: 0, error: 0, row: 0, hidden: new Set(), filter: "" };
  let view = null;

  function make(tag, classes, text, parent) {
    const element = document.createElement(tag);
    if (classes) element.className = classes;
    if (text !== undefined && text !== null) element.textContent = text;
    if (parent) parent.appendChild(element);
    return element;
  }
  const colour = (thread) => `var(--t${thread % 8})`;
  const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");

  /* ---- what the rows tell ---- */

  function threadsOf(error) {
    return [...new Set(error.rows.map((row) => row.thread))].sort((a, b) => a - b);
  }
  function matches(row) {
    if (at.hidden.has(row.thread)) return false;
    if (!at.filter) return true;
    const words = [row.text, row.effect, ...row.values.map((value) => value[0])].join(" ").toLowerCase();
    return words.includes(at.filter.toLowerCase());
  }
  /* Memory after the row: name → [value, the value before if this row has changed it]. */
  function memoryAt(error, index) {
    const memory = new Map();
    for (let i = 0; i <= index; i++)
      for (const [name, before, after] of error.rows[i].values) {
        memory.delete(name);
        memory.set(name, { value: after || before, before: after ? before : null, fresh: i === index });
      }
    return [...memory].reverse();
  }
  /* The last row of each thread, up to this one. */
  function placesAt(error, index) {
    const places = new Map();
    for (let i = 0; i <= index; i++) places.set(error.rows[i].thread, error.rows[i]);
    return places;
  }

  /* ---- lanes ---- */

  class Lanes {
    constructor(parent, error) {
      this.error = error;
      this.threads = threadsOf(error);
      this.element = make("div", "lanes", null, parent);
      this.element.tabIndex = 0;
      this.element.setAttribute("role", "listbox");
      this.element.setAttribute("aria-label", "events");
      this.all = make("div", "all", null, this.element);
      this.head = make("div", "head", null, this.all);
      this.svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      this.all.appendChild(this.svg);
      this.body = make("div", null, null, this.all);
      this.byStep = new Map(error.rows.map((row, i) => [row.step, i]));
      this.links = error.links.map(([from, to]) => [this.byStep.get(from), this.byStep.get(to)])
        .filter(([from, to]) => from !== undefined && to !== undefined);
      this.all.style.height = `${30 + HEIGHT * error.rows.length}px`;
      this.element.addEventListener("scroll", () => this.draw());
      this.body.addEventListener("click", (event) => {
        const row = event.target.closest(".row");
        if (row) select(Number(row.dataset.index));
      });
      new ResizeObserver(() => this.draw()).observe(this.element);
    }
    x(thread) {
      return LEFT + this.threads.indexOf(thread) * this.width;
    }
    draw() {
      const rows = this.error.rows, width = Math.max(this.element.clientWidth, 280);
      this.width = Math.max((width - LEFT - 8) / this.threads.length, 130);
      const total = LEFT + this.width * this.threads.length;
      this.all.style.width = `${Math.max(total, width)}px`;
      const first = Math.max(Math.floor(this.element.scrollTop / HEIGHT) - 4, 0);
      const last = Math.min(first + Math.ceil(this.element.clientHeight / HEIGHT) + 8, rows.length);
      this.head.replaceChildren();
      for (const thread of this.threads) {
        const name = make("span", null, this.error.names[thread] || `T${thread}`, this.head);
        name.style.cssText = `left:${this.x(thread) + 14}px;width:${this.width - 20}px;color:${colour(thread)}`;
      }
      const parts = document.createDocumentFragment();
      for (let i = first; i < last; i++) parts.appendChild(this.row(rows[i], i));
      this.body.replaceChildren(parts);
      this.arrows(first, last, Math.max(total, width));
    }
    row(row, index) {
      const classes = ["row"];
      if (index === at.row) classes.push("here");
      if (row.end) classes.push("end");
      if (row.step && row.step === this.error.decisive) classes.push("decisive");
      if (!matches(row)) classes.push("faint");
      const element = make("div", classes.join(" "));
      element.style.top = `${30 + index * HEIGHT}px`;
      element.dataset.index = index;
      element.title = `${row.file}:${row.line}\n${row.text}\n${row.effect}`;
      make("span", "number", row.step || "", element);
      const words = make("span", "words", row.text, element);
      words.style.cssText = `left:${this.x(row.thread) + 14}px;max-width:${this.width - 18}px`;
      make("small", null, row.effect || `${row.file.split("/").pop()}:${row.line}`, words);
      return element;
    }
    arrows(first, last, width) {
      const y = (i) => i * HEIGHT + 13, parts = [];
      const height = HEIGHT * this.error.rows.length;
      this.svg.setAttribute("width", width);
      this.svg.setAttribute("height", Math.min(height, (last + 2) * HEIGHT));
      parts.push(`<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
        <path d="M0 0 L8 4 L0 8 z" fill="var(--soft)"/></marker></defs>`);
      for (const thread of this.threads)
        parts.push(`<line x1="${this.x(thread) + 5}" x2="${this.x(thread) + 5}" y1="${first * HEIGHT}" y2="${last * HEIGHT}"
          stroke="${colour(thread)}" stroke-opacity=".35" stroke-width="2"/>`);
      for (const [from, to] of this.links) {
        if (to < first || from > last) continue;
        const a = this.error.rows[from], b = this.error.rows[to], strong = from === at.row || to === at.row;
        const x1 = this.x(a.thread) + 5, x2 = this.x(b.thread) + 5, bend = (x1 + x2) / 2;
        parts.push(`<path d="M${x1} ${y(from)} C${bend} ${y(from)} ${bend} ${y(to)} ${x2 + (x2 > x1 ? -6 : 6)} ${y(to)}" fill="none"
          stroke="var(--soft)" stroke-width="${strong ? 2 : 1}" stroke-opacity="${strong ? 1 : 0.4}" marker-end="url(#tip)"/>`);
      }
      for (let i = first; i < last; i++) {
        const row = this.error.rows[i];
        parts.push(`<circle cx="${this.x(row.thread) + 5}" cy="${y(i)}" r="${i === at.row ? 6 : 4}"
          fill="${row.end ? "var(--bad)" : colour(row.thread)}"/>`);
      }
      this.svg.innerHTML = parts.join("");
    }
    reveal(index) {
      const top = index * HEIGHT, bottom = top + HEIGHT + 30, box = this.element;
      if (top < box.scrollTop) box.scrollTop = top;
      else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
    }
  }

  /* ---- source and memory ---- */

  class Source {
    constructor(parent, sources) {
      this.sources = new Map(sources.map((file) => [file.name, file.lines]));
      this.title = make("h3", null, null, parent);
      this.element = make("div", "source", null, parent);
      this.shown = null;
    }
    draw(error, index) {
      const row = error.rows[index];
      const lines = row && this.sources.get(row.file);
      this.title.textContent = row ? `${row.file}:${row.line}` : "source";
      if (!lines) {
        this.element.replaceChildren(make("div", null, "the source is not at hand"));
        this.shown = null;
        return;
      }
      if (this.shown !== row.file) {
        const parts = document.createDocumentFragment();
        lines.forEach((text, i) => {
          const line = make("div", null, null, parts);
          make("span", "marks", null, line);
          make("span", "n", i + 1, line);
          make("span", "code", text || " ", line);
        });
        this.element.replaceChildren(parts);
        this.shown = row.file;
        this.marked = [];
      }
      for (const line of this.marked) {
        line.className = "";
        line.firstChild.replaceChildren();
      }
      this.marked = [];
      for (const [thread, place] of placesAt(error, index)) {
        const line = place.file === row.file && this.element.children[place.line - 1];
        if (!line) continue;
        const mark = make("b", null, `T${thread}`, line.firstChild);
        mark.style.background = colour(thread);
        this.marked.push(line);
      }
      const here = this.element.children[row.line - 1];
      if (here) {
        here.className = row.end ? "bad" : "here";
        this.marked.push(here);
        this.element.scrollTop = here.offsetTop - this.element.offsetTop - this.element.clientHeight / 3;
      }
    }
  }

  function drawMemory(element, error, index) {
    const table = make("table");
    for (const [name, { value, before, fresh }] of memoryAt(error, index)) {
      const row = make("tr", fresh ? "new" : "", null, table);
      make("td", null, name, row);
      const cell = make("td", null, null, row);
      if (fresh && before !== null) {
        make("span", "old", before, cell);
        cell.append(" → ");
      }
      make("b", null, value, cell);
      row.title = "show only what touches it";
      row.addEventListener("click", () => setFilter(at.filter === name ? "" : name));
    }
    element.replaceChildren(table);
  }

  /* ---- the whole ---- */

  function drawHead(parent, told) {
    const r = told.report, header = make("header", null, null, parent);
    make("h1", null, r.program, header);
    make("span", `verdict ${r.verdict}`, r.verdict.toUpperCase(), header);
    const numbers = r.traces === undefined ? r.algorithm /* a replay counts nothing */
      : `${r.algorithm}: ${grouped(r.traces)} trace${r.traces === 1 ? "" : "s"}, ${grouped(r.events)} events, ${r.seconds.toFixed(3)} s`;
    make("span", "numbers", numbers, header);
    if (DATA.length > 1) choose(header, "report", DATA.map((one) => `${one.report.program} (${one.report.algorithm})`));
    const theme = make("button", null, "◐", header);
    theme.id = "theme";
    theme.title = "dark or light";
    theme.addEventListener("click", () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
  }
  function choose(parent, key, names) {
    const select = make("select", null, null, parent);
    select.setAttribute("aria-label", key);
    names.forEach((name, i) => { make("option", null, name, select).value = i; });
    select.value = at[key];
    select.addEventListener("change", () => {
      at[key] = Number(select.value);
      if (key === "report") at.error = 0;
      draw();
    });
  }
  function drawWhat(parent, error) {
    const what = make("div", "what", null, parent);
    make("h2", null, error.message, what);
    const steps = error.rows.filter((row) => row.step).length;
    const words = [`${error.file}:${error.line}`, `${steps} step${steps === 1 ? "" : "s"}${error.switches ? `, ${error.switches} context switch${error.switches === 1 ? "" : "es"}` : ""}`];
    if (error.left_out) words.push(`${error.left_out} left out`);
    if (error.choices) words.push(`chosen: ${error.choices}`);
    if (error.trace) words.push(`mazurka replay ${error.trace}`);
    make("p", null, words.join(" · "), what);
    if (error.story) make("p", "story", error.story, what);
  }
  /* The calls of a client as intervals of time, and the client. */
  function drawCalls(parent, report) {
    if (!report.client) return;
    const card = make("section", "card calls", null, parent), calls = report.intervals;
    const last = Math.max(...calls.map((call) => call.ends), 1);
    make("h3", null, calls.length ? "the calls in time" : "the client", card);
    for (const call of [...calls].sort((a, b) => a.thread - b.thread || a.begins - b.begins)) {
      const row = make("div", "call", null, card);
      make("span", "who", `T${call.thread} ${call.call}`, row);
      const bar = make("span", call.returned ? "interval" : "interval open", null, make("span", "time", null, row));
      bar.style.left = `${(100 * call.begins) / last}%`;
      bar.style.width = `${(100 * (call.ends - call.begins)) / last}%`;
      bar.style.background = colour(call.thread);
      make("span", "result", call.returned ? call.result && `= ${call.result}` : "…", row);
    }
    const shown = make("details", null, null, card);
    make("summary", null, "as a C program", shown);
    make("pre", null, report.client, shown);
  }
  function drawBar(parent, error) {
    const bar = make("div", "bar", null, parent);
    const button = (label, id, title, step) => {
      const one = make("button", null, label, bar);
      one.id = id;
      one.title = title;
      one.addEventListener("click", () => move(step));
    };
    button("|◀", "first", "to the first event (Home)", -Infinity);
    button("◀", "back", "back (←)", -1);
    view.where = make("span", "where", "", bar);
    button("▶", "forward", "forward (→)", 1);
    button("▶|", "last", "to the failure (End)", Infinity);
    view.filter = make("input", null, null, bar);
    view.filter.type = "search";
    view.filter.placeholder = "filter: variable, text";
    view.filter.setAttribute("aria-label", "filter");
    view.filter.value = at.filter;
    view.filter.addEventListener("input", () => setFilter(view.filter.value));
    for (const thread of threadsOf(error)) {
      const chip = make("button", `chip${at.hidden.has(thread) ? " off" : ""}`, error.names[thread] || `T${thread}`, bar);
      chip.style.color = colour(thread);
      chip.dataset.thread = thread;
      chip.addEventListener("click", () => {
        if (!at.hidden.delete(thread)) at.hidden.add(thread);
        chip.classList.toggle("off");
        update();
      });
    }
    const keys = make("span", "keys", null, bar);
    keys.innerHTML = "<kbd>←</kbd> <kbd>→</kbd> step, <kbd>Home</kbd> <kbd>End</kbd>, <kbd>/</kbd> filter, <kbd>t</kbd> theme";
  }
  function drawOther(parent, error) {
    if (!error.passing.length) return;
    const card = make("section", "card", null, parent);
    card.style.margin = "0 20px 16px";
    make("h3", null, "beside an execution that passes", card);
    const both = make("div", "both", null, card);
    const differ = error.decisive;
    for (const [title, rows] of [["fails", error.rows], ["passes", error.passing]]) {
      const list = make("div", `other ${title}`, null, both);
      make("b", null, title, list);
      const from = Math.max(0, rows.findIndex((row) => row.step === differ) - 40); /* what comes before is the same in both */
      if (from > 0) make("div", null, `… ${from} rows alike`, list);
      rows.slice(from, from + 400).forEach((row) => {
        const line = make("div", row.step === differ ? "differs" : "", `${row.step || "·"}  T${row.thread}  ${row.text}`, list);
        line.style.color = row.end ? "var(--bad)" : colour(row.thread);
        line.title = row.effect;
        const step = error.rows.indexOf(row);
        if (step >= 0) line.addEventListener("click", () => select(step));
      });
    }
  }
  /* The first executions as a tree: they have their steps in common from the left as far as they agree. */
  function treeOf(executions) {
    const root = { children: new Map(), depth: 0 };
    executions.forEach(([ending, ...threads], number) => {
      let node = root;
      for (const thread of threads) {
        if (!node.children.has(thread)) node.children.set(thread, { thread, children: new Map(), depth: node.depth + 1 });
        node = node.children.get(thread);
      }
      node.ends = { ending, number: number + 1, threads };
    });
    return root;
  }
  function drawExploration(parent, told) {
    const executions = told.exploration, LEAF = 16, STEP = 9, lines = [], leaves = [];
    if (!executions.length) return;
    const card = make("section", "card exploration", null, parent);
    const many = executions.length < told.report.executions ? `the first ${executions.length} of ${grouped(told.report.executions)}` : "all";
    make("h3", null, `exploration tree: ${many} executions`, card);
    let y = LEAF, deepest = 0;
    const stack = [[treeOf(executions), null, false]];
    const place = (node) => { node.y = y; };
    (function walk(node) { /* leaves from top to bottom; a node is where its first child is */
      const children = [...node.children.values()];
      deepest = Math.max(deepest, node.depth);
      if (!children.length) { place(node); y += LEAF; }
      children.forEach(walk);
      if (children.length) node.y = children[0].y;
      for (const child of children)
        lines.push(`<path d="M${10 + node.depth * STEP} ${node.y} V${child.y} H${10 + child.depth * STEP}" stroke="${colour(child.thread)}"/>`);
      if (node.ends) leaves.push(node);
    })(stack[0][0]);
    const kinds = { complete: "var(--good)", closed: "var(--good)", failed: "var(--bad)", deadlock: "var(--bad)", redundant: "var(--soft)" };
    const dots = leaves.map((node) => `<circle class="leaf ${node.ends.ending}" cx="${10 + node.depth * STEP}" cy="${node.y}" r="4.5"
      fill="${kinds[node.ends.ending] || "var(--warn)"}"><title>execution ${node.ends.number}: ${node.ends.ending}, ${node.ends.threads.length} steps: ${
      node.ends.threads.map((thread) => `T${thread}`).join(" ")}</title></circle>`);
    const box = make("div", "tree", null, card);
    const width = 24 + deepest * STEP;
    box.innerHTML = `<svg width="${width}" height="${y + 4}" viewBox="0 0 ${width} ${y + 4}" role="img"
      aria-label="exploration tree"><g fill="none" stroke-width="2">${lines.join("")}</g>${dots.join("")}</svg>`;
    const legend = make("p", "legend", null, card);
    for (const kind of [...new Set(executions.map((one) => one[0]))]) {
      const mark = make("i", null, null, legend);
      mark.style.background = kinds[kind] || "var(--warn)";
      legend.append(` ${kind === "redundant" ? "cut short as redundant" : kind}  `);
    }
    legend.append("· a line is a step, in the colour of its thread");
  }
  function list(parent, title, lines) {
    if (!lines.length) return;
    const card = make("section", "card", null, parent);
    make("h3", null, title, card);
    const items = make("ul", null, null, card);
    for (const line of lines) make("li", null, line, items);
  }
  function drawFacts(parent, told) {
    const r = told.report, facts = make("div", "facts", null, parent);
    list(facts, "what the verdict rests on", [...r.notes, ...r.assumptions, ...(r.reason ? [r.reason] : [])]);
    list(facts, "checked", r.checked);
    list(facts, "warnings", r.warnings.map((w) => `${w.file}:${w.line}: ${w.message}`));
    const card = make("section", "card", null, facts);
    make("h3", null, "statistics", card);
    const numbers = make("dl", null, null, card);
    for (const [key, value] of Object.entries(r))
      if (typeof value === "number" && value > 0) {
        make("dt", null, key.replaceAll("_", " "), numbers);
        make("dd", null, Number.isInteger(value) ? grouped(value) : value.toFixed(4), numbers);
      }
  }

  function current() {
    return DATA[at.report].errors[at.error];
  }
  function draw() {
    const told = DATA[at.report], error = current();
    page.replaceChildren();
    view = {};
    drawHead(page, told);
    if (error) {
      at.row = Math.min(at.row, error.rows.length - 1);
      if (told.errors.length > 1) choose(page.firstChild, "error", told.errors.map((one) => one.message));
      drawWhat(page, error);
      drawCalls(page, told.report);
      drawBar(page, error);
      const columns = make("div", "columns", null, page);
      const left = make("section", "card", null, columns), side = make("div", "side", null, columns);
      view.lanes = new Lanes(left, error);
      view.source = new Source(make("section", "card", null, side), told.sources);
      const memory = make("section", "card", null, side);
      make("h3", null, "memory", memory);
      view.memory = make("div", "memory", null, memory);
      drawOther(page, error);
    }
    drawExploration(page, told);
    drawFacts(page, told);
    update();
  }
  function update() {
    const error = current();
    if (!error || !error.rows.length) return;
    const row = error.rows[at.row];
    view.where.textContent = `${row.step ? `step ${row.step}` : row.end ? "failure" : "between"} · ${at.row + 1}/${error.rows.length}`;
    view.lanes.reveal(at.row);
    view.lanes.draw();
    view.source.draw(error, at.row);
    drawMemory(view.memory, error, at.row);
    page.dataset.row = at.row;
  }
  function select(index) {
    at.row = Math.max(0, Math.min(index, current().rows.length - 1));
    update();
  }
  /* To the next row that the filter shows. */
  function move(by) {
    const rows = current().rows, step = Math.sign(by);
    if (!Number.isFinite(by)) return select(by > 0 ? rows.length - 1 : 0);
    let index = at.row + step;
    while (rows[index] && !matches(rows[index])) index += step;
    if (rows[index]) select(index);
  }
  function setFilter(text) {
    at.filter = text;
    if (view.filter.value !== text) view.filter.value = text;
    update();
  }
  function setTheme(theme) {
    document.documentElement.dataset.theme = theme;
  }

  document.addEventListener("keydown", (event) => {
    if (!current() || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.tagName === "INPUT" || event.target.tagName === "SELECT") {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    const steps = { ArrowRight: 1, ArrowDown: 1, n: 1, j: 1, " ": 1, ArrowLeft: -1, ArrowUp: -1, p: -1, k: -1, PageDown: 12, PageUp: -12,
      Home: -Infinity, End: Infinity };
    if (event.key in steps) {
      if (event.key === " " && event.target.tagName === "BUTTON") return;
      const by = steps[event.key];
      if (Math.abs(by) === 12) select(at.row + by);
      else move(by);
    } else if (event.key === "/") {
      view.filter.focus();
    } else if (event.key === "t") {
      document.getElementById("theme").click();
    } else {
      return;
    }
    event.preventDefault();
  });
  setTheme(window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  draw();
})();
