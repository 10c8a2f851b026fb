/* SPDX-License-Identifier: MIT */
/* index.html at the mount's root: the frames as a time line and a contact sheet, and all tables. */

/*
 * Returns the frames with problems: a problem of a packet counts for the frame that has the packet.
 */
function countProblems(lines, frames) {
  const marks = new Set();
  for (const line of lines) {
    const packet = /^\S+ packet (\d+) /.exec(line);
    if (!packet) continue;
    const row = search(frames, "last", Number(packet[1]));
    if (row < frames.count) marks.add(row);
  }
  return marks;
}

function dumpFacts(problems) {
  const facts = h("ul", {class: "facts"});
  const add = (children, bad) => facts.append(fact(children, bad));
  add([h("b", null, dump.format.toUpperCase()), " " + (dump.game || "")]);
  add(count(dump.frames, "frame"));
  add(count(dump.packets, "packet"));
  textOf("", "metadata.json").then(lines => add(h("b", null, bytes(JSON.parse(lines.join("\n")).size)))).catch(() => null);
  problems.then(lines => add(count(lines.length, "problem"), lines.length > 0), () => add("problems unknown", true));
  return facts;
}

/* The contact sheet: a grid of frames. Each picture that is out of sight could cost seconds. */
class Sheet {
  constructor(frames) {
    Object.assign(this, {frames, now: -1, columns: 1, there: 0, queue: new Queue(inTurn() ? 1 : 2, () => this.pause, inTurn())});
    this.settled = new Promise(settle => { this.settle = settle; });
    this.pictures = has(PICTURES);
    this.box = h("div", {class: "scroll sheet", tabindex: 0, "aria-label": "Frames"});
    this.rows = new Rows(this.box, 100, row => this.drawRow(row), 0);
    this.aspect = this.pictures && dump.width ? Math.min(4, Math.max(0.5, dump.width / dump.height)) : 0;
    if (!this.aspect || dump.frames === 0) this.settle();
    new ResizeObserver(() => this.layout()).observe(this.box);
    frames.listeners.push(once(() => this.refresh()));
  }
  layout() {
    const wanted = !this.pictures ? 190 : this.aspect > 2 ? 430 : 212, wide = this.box.clientWidth - 40;
    const columns = Math.max(1, Math.floor((wide + 12) / (wanted + 12)));
    const cell = (wide - 12 * (columns - 1)) / columns;
    const height = Math.round((this.pictures && this.aspect ? cell / this.aspect : 0) + 27) + 12;
    if (columns === this.columns && height === this.rows.height) return;
    this.columns = columns;
    this.rows.height = height;
    this.rows.reset();
    this.rows.setCount(Math.ceil(dump.frames / columns));
    if (this.now >= 0) this.rows.show(Math.floor(this.now / columns));
  }
  drawRow(row) {
    const cells = [];
    for (let frame = row * this.columns; frame < Math.min(dump.frames, (row + 1) * this.columns); frame++)
      cells.push(this.drawFrame(frame));
    const element = h("div", null, cells);
    element.style.gridTemplateColumns = `repeat(${this.columns}, minmax(0, 1fr))`;
    element.style.height = this.rows.height - 12 + "px";
    return element;
  }
  drawFrame(frame) {
    const cell = h("a", {class: "cell", href: framePage(frame), "data-frame": frame, "aria-current": frame === this.now});
    if (this.aspect) cell.append(this.drawShot(frame));
    cell.append(h("div", {class: "text"}));
    this.tell(cell, frame);
    return cell;
  }
  /*
   * Requests the picture of a frame, unless it was scrolled out of sight meanwhile. The picture
   * under the mouse comes first, since it will probably be clicked. After the frame that a link
   * names there is a pause, since the user may click on it.
   */
  drawShot(frame) {
    const image = h("img", {alt: "", decoding: "async"}), shot = h("div", {class: "shot", onpointerenter: () => this.queue.add(ask, true)});
    const ask = async () => {
      if (!shot.isConnected || image.src) return;
      await (frame === this.now ? picture : this.queue.picture.bind(this.queue))(image, pictureOf(frame));
      if (frame === this.now && shot.isConnected && inTurn()) this.pause ??= sleep(1000);
      gather(() => shot.replaceChildren(image.naturalWidth > 0 ? image : "no picture"));
      if (++this.there >= Math.min(this.columns, dump.frames)) this.settle();
    };
    this.queue.add(ask, frame === this.now);
    return shot;
  }
  /*
   * Shows what the frame's row says, once it is there. A row of figures may cost a replay of all
   * that the figures count, so the rows are loaded after the first row of pictures.
   */
  tell(cell, frame) {
    const row = this.lanes && this.frames.row(frame), main = this.lanes?.[0];
    const number = row && main ? asNumber(this.frames.cell(frame, main)) || 0 : null;
    const figure = number === null ? "" : short(number) + " " + (number === 1 ? main.replace(/s$/, "") : main);
    if (cell.figure === figure) return;
    cell.figure = figure;
    cell.lastChild.replaceChildren(h("b", null, String(frame)), h("span", null, figure));
  }
  each(work) {
    for (const row of this.rows.live.values())
      for (const cell of row.children) work(cell, Number(cell.dataset.frame));
  }
  refresh() { this.each((cell, frame) => this.tell(cell, frame)); }
  select(frame) {
    this.now = Math.max(0, Math.min(dump.frames - 1, frame));
    this.each((cell, number) => cell.setAttribute("aria-current", number === this.now));
    this.rows.show(Math.floor(this.now / this.columns));
  }
}

/* Fills the lanes as the pieces of frames.tsv come. */
function fillLanes(line, frames, lanes) {
  const filled = new Set();
  line.count = dump.frames;
  line.values = lanes.map(() => new Float64Array(dump.frames).fill(NaN));
  const fill = () => {
    frames.pieces.forEach((piece, number) => {
      if (!piece || filled.has(number)) return;
      filled.add(number);
      const start = frames.known !== null ? number * frames.ofPiece : frames.starts[number];
      lanes.forEach((name, lane) => piece.cells.forEach((row, index) => {
        line.values[lane][start + index] = asNumber(row[frames.column(name)]);
      }));
    });
    line.update();
  };
  frames.listeners.push(once(fill, GATHERED));
  fill();
}

function frameTip(frames, lanes, frame) {
  const row = lanes.length > 0 ? frames.row(frame) : undefined;
  const words = lanes.map(name => row ? `${tidy(frames.cell(frame, name))} ${name}` : null).filter(Boolean).join(" · ");
  const shown = has(PICTURES) && !(row && frames.cell(frame, "width") === null);
  return [shown ? h("img", {src: pictureOf(frame), alt: ""}) : null, h("b", null, "Frame " + frame), " " + words].filter(Boolean);
}

function sheetView(frames, select) {
  const sheet = new Sheet(frames);
  const line = new Line({height: 108, label: "Frames over time", pick: select,
    hover: (frame, event) => showTip(event, ...frameTip(frames, sheet.lanes || [], frame))});
  line.count = dump.frames;
  const view = h("div", {class: "body"}, dump.frames > 1 ? line.box : null, sheet.box);
  const fill = async () => {
    await sheet.settled;
    await frames.open();
    sheet.lanes = lanesOf(frames);
    line.title(sheet.lanes);
    fillLanes(line, frames, sheet.lanes);
    sheet.refresh();
  };
  const filled = fill();
  filled.catch(() => { line.box.remove(); view.prepend(tellUnread("frames.tsv")); });
  return Object.assign(view, {sheet, line, filled});
}

function dumpPage() {
  const problems = textOf("", "problems.txt");
  const frames = new Listing("", "frames.tsv");
  const place = h("main", {class: "body"});
  const files = [...new Set(["frames.tsv", ...filesOf("", ".tsv", ".txt")])];
  const lives = files.includes("allocations.tsv") ? [["lives", "Memory over time", "allocations by time and place"]] : [];
  const names = [["frames", "Frames", "the contact sheet"], ...lives,
    ...files.map(name => [name, name, helps.get(name)])];
  const bar = tabs(names, id => { state.set({tab: id}); open(); });
  const view = sheetView(frames, frame => select(frame));
  const go = h("input", {type: "number", min: 0, max: dump.frames - 1, placeholder: "frame", "aria-label": "Go to frame",
    onkeydown: event => { if (event.key === "Enter") { select(Number(go.value)); go.blur(); } }});

  function select(frame) {
    if (!(frame >= 0)) return;
    view.sheet.select(frame);
    view.line.set(view.sheet.now);
    state.set({frame: view.sheet.now});
  }
  function move(by) { select((view.sheet.now < 0 ? -1 : view.sheet.now) + by); }
  function open() {
    const wanted = state.get("tab"), id = names.some(([name]) => name === wanted) ? wanted : "frames";
    markTab(bar, id);
    hideTip();
    if (id === "frames") place.replaceChildren(dump.frames > 0 ? view : h("p", {class: "empty"}, "This dump has no frames."));
    else if (id === "lives") showLives(place);
    else showListing(place, "", id, null);
  }

  document.title = dump.source + " — gpudumpfs";
  const keys = listen([["ArrowLeft ArrowRight", "previous, next frame", event => move(event.key === "ArrowLeft" ? -1 : 1)],
    ["ArrowUp ArrowDown", "previous, next row", event => move(event.key === "ArrowUp" ? -view.sheet.columns : view.sheet.columns)],
    ["PageUp PageDown", "100 frames back, forward", event => move(event.key === "PageUp" ? -100 : 100)],
    ["Home End", "first, last frame", event => select(event.key === "Home" ? 0 : dump.frames - 1)],
    ["Enter", "open the frame", () => { if (view.sheet.now >= 0) location.href = framePage(view.sheet.now); }],
    ["g", "go to a frame by its number", () => go.focus()]]);
  document.body.append(h("header", null, h("h1", null, dump.source), dumpFacts(problems), h("div", {class: "move"}, go, keys)), bar, place, tip);
  addEventListener("hashchange", open);
  open();
  if (state.get("frame") !== null) select(Number(state.get("frame")));
  view.filled.then(() => frames.all()).then(() => problems)
    .then(lines => { view.line.marks = countProblems(lines, frames); view.line.update(); }).catch(() => null);
}
