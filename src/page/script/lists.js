/* SPDX-License-Identifier: MIT */
/* Tables and texts of any length: only the visible part is loaded and drawn. */

/*
 * A table or text of a folder, loaded in pieces. If the number of rows is not known, the pieces
 * come in order.
 */
class Listing {
  constructor(folder, name) {
    this.path = folder + name;
    this.isTable = name.endsWith(".tsv");
    this.pieces = [];
    this.count = 0;
    this.listeners = [];
  }

  async open() {
    const first = await load(this.path + ".0.js");
    this.columns = first.columns || [];
    this.total = first.pieces;
    this.known = first.rows;
    this.ofPiece = this.take(first).length;
    this.count = this.known !== null ? this.known : this.ofPiece;
    this.pieces[0] = first;
    this.starts = [0];
    return this;
  }

  take(piece) { return this.isTable ? piece.cells : piece.lines; }
  column(name) { return this.columns.indexOf(name); }
  get complete() { return this.pieces.filter(Boolean).length === this.total; }

  /* Returns which piece has a row, and the first row of this piece. */
  find(row) {
    if (this.known !== null && this.ofPiece > 0) {
      const number = Math.floor(row / this.ofPiece);
      return [number, number * this.ofPiece];
    }
    let number = this.starts.length - 1;
    while (number > 0 && this.starts[number] > row) number--;
    return [number, this.starts[number]];
  }

  /* Returns a row, or undefined until it has come. */
  row(row) {
    const [number, start] = this.find(row);
    if (!this.pieces[number]) { this.want(number); return undefined; }
    if (this.known === null && row > this.count - 200) this.more();
    return this.take(this.pieces[number])[row - start];
  }
  cell(row, name) {
    const values = this.row(row), column = this.column(name);
    return values && column >= 0 ? values[column] : undefined;
  }
  /* Returns the number for a line: `which` is "packets" or "draws". */
  number(row, which) {
    const [number, start] = this.find(row), piece = this.pieces[number];
    return piece && piece[which] ? piece[which][row - start] : null;
  }

  async want(number) {
    if (number >= this.total || this.pieces[number]) return;
    const piece = await load(this.path + "." + number + ".js");
    if (this.pieces[number]) return;
    this.pieces[number] = piece;
    if (this.known === null) {
      this.starts[number] = this.count;
      this.count += this.take(piece).length;
    }
    this.listeners.forEach(listener => listener());
  }
  more() {
    return this.want(this.known === null ? this.starts.length : this.pieces.findIndex(piece => !piece));
  }

  /* Loads everything, one piece after another. */
  async all() {
    for (let number = 1; number < this.total; number++) await this.want(number).catch(() => null);
  }
}

/* Finds the first row whose number is at least `value`, in a column that rises. */
function search(listing, name, value) {
  let low = 0, high = listing.count;
  while (low < high) {
    const middle = (low + high) >> 1, cell = asNumber(listing.cell(middle, name) ?? null);
    if (cell < value) low = middle + 1; else high = middle;
  }
  return low;
}

/*
 * A list of rows of equal height in a box that scrolls; `spare` rows above and below the visible
 * ones are drawn, too. Browsers limit the height of an element: in a longer list, a pixel of the
 * scroll bar stands for more than a pixel of rows.
 */
const HIGHEST = 8e6;
class Rows {
  constructor(box, height, draw, spare = 2) {
    Object.assign(this, {box, height, draw, spare, count: 0, live: new Map()});
    this.view = h("div", {class: "view"});
    this.space = h("div", {class: "space"}, this.view);
    box.replaceChildren(this.space);
    this.update = once(() => this.redraw());
    box.addEventListener("scroll", this.update, {passive: true});
    new ResizeObserver(() => { this.update(); if (this.kept >= 0) this.show(this.kept); }).observe(box);
  }
  get whole() { return this.count * this.height; }
  get scale() {
    const seen = this.box.clientHeight;
    return this.whole <= HIGHEST ? 1 : (this.whole - seen) / (HIGHEST - seen);
  }
  setCount(count) {
    this.count = count;
    this.space.style.height = Math.min(this.whole, HIGHEST) + "px";
    this.update();
  }
  /* Drops what is drawn, since its contents have changed. */
  reset() { this.view.replaceChildren(); this.live.clear(); this.update(); }
  redraw() {
    const top = this.box.scrollTop * this.scale, seen = this.box.clientHeight;
    const first = Math.max(0, Math.floor(top / this.height) - this.spare);
    const end = Math.min(this.count, Math.ceil((top + seen) / this.height) + this.spare);
    for (const [row, element] of this.live)
      if (row < first || row >= end) { element.remove(); this.live.delete(row); }
    for (let row = first; row < end; row++) {
      let element = this.live.get(row);
      if (!element) {
        element = this.draw(row);
        if (!element) continue;
        this.live.set(row, element);
        this.view.append(element);
      }
      element.style.transform = `translateY(${row * this.height - top}px)`;
    }
  }
  /* Scrolls to a row, which stays visible when the box changes. */
  show(row) {
    this.kept = row;
    const top = row * this.height, seen = this.box.clientHeight, now = this.box.scrollTop * this.scale;
    if (top >= now && top + this.height <= now + seen) return;
    this.box.scrollTop = Math.max(0, top - (seen - this.height) / 2) / this.scale;
    this.update();
  }
}

/* Draws a cell, with a link if its column names a frame or, in a frame, a draw. */
function drawCell(name, cell, frame) {
  const text = tidy(cell);
  if (cell === null) return h("span", {class: "none"}, text);
  if (/(^|_)frame$/.test(name) && /^\d+$/.test(cell) && Number(cell) < dump.frames)
    return h("a", {class: "number", href: framePage(Number(cell))}, text);
  if (name === "draw" && frame !== null && /^\d+$/.test(cell)) return h("a", {class: "number", href: "#draw=" + Number(cell)}, text);
  return h("span", {class: /^-?[\d.]+$/.test(text) ? "number" : null, title: text.length > 24 ? text : null}, text);
}

/* Returns the widths of the columns, from the contents of the first rows. */
function widths(listing) {
  const sample = listing.take(listing.pieces[0]).slice(0, 200);
  return listing.columns.map((name, column) => {
    const longest = sample.reduce((most, row) => Math.max(most, tidy(row[column] ?? null).length), name.length);
    return Math.min(44, longest + 1) + 3 + "ch";
  }).join(" ");
}

function tableView(listing, frame) {
  const sample = listing.take(listing.pieces[0]).slice(0, 50);
  const head = h("div", null, listing.columns.map((name, column) => h("span", {title: name,
    class: sample.length > 0 && sample.every(row => !/[^\d.-]/.test(tidy(row[column] ?? null).replace("–", ""))) ? "number" : null}, name)));
  const box = h("div", {class: "scroll table", tabindex: 0});
  const view = h("div", {class: "body"}, h("div", {class: "head"}, head), box);
  const rows = new Rows(box, 22, row => {
    const values = listing.row(row);
    return values && h("div", {class: view.current === row ? "now" : null},
      values.map((cell, column) => drawCell(listing.columns[column] || "", cell, frame)));
  });
  view.style.setProperty("--widths", widths(listing));
  box.addEventListener("scroll", () => { head.style.transform = `translateX(${-box.scrollLeft}px)`; }, {passive: true});
  return Object.assign(view, {rows});
}

function textView(listing, pick) {
  const box = h("div", {class: "scroll text", tabindex: 0});
  const view = h("div", {class: "body"}, box);
  const rows = new Rows(box, 19, row => {
    const line = listing.row(row);
    if (line === undefined) return null;
    const step = pick && (listing.number(row, "draws") ?? listing.number(row, "packets"));
    return h("div", {"data-line": row + 1, class: (step !== null && step !== undefined ? "step " : "") + (view.current === row ? "now" : ""),
      onclick: pick ? () => pick(row) : () => {}}, line || " ");
  });
  return Object.assign(view, {rows});
}

/*
 * Says in an element that something cannot be read, and why. In a mount README.txt can be read even
 * if nothing else can.
 */
function tellUnread(name, element = h("p", {class: "empty"})) {
  const tell = why => { element.textContent = `${name} cannot be read${why}`; };
  load("README.txt.0.js").then(() => tell(": it does not exist, or problems.txt gives the reason."), () => tell(": this is a copy, and its mount alone has what pages read."));
  return element;
}

/* Shows a table or text of the mount in a place, as its only child. */
async function showListing(place, folder, name, frame, pick) {
  const listing = new Listing(folder, name);
  place.replaceChildren();
  try {
    await listing.open();
  } catch (error) {
    place.replaceChildren(tellUnread(name));
    return null;
  }
  const view = listing.isTable ? tableView(listing, frame) : textView(listing, pick);
  const empty = h("p", {class: "empty"}, name + " is empty.");
  const update = () => {
    view.rows.setCount(listing.count);
    empty.hidden = listing.count > 0 || !listing.complete;
    view.hidden = !empty.hidden;
  };
  listing.listeners.push(update);
  place.replaceChildren(view, empty);
  update();
  if (listing.known === null) listing.all();
  return {listing, view};
}

/* Makes tabs: [[id, title, help]]; the URL's fragment has the one that is open. */
function tabs(names, select) {
  return h("nav", null, names.map(([id, title, help]) => h("a", {href: "#tab=" + id, title: help || null,
    "data-tab": id, onclick: event => { event.preventDefault(); select(id); }}, title)));
}
function markTab(bar, id) {
  for (const tab of bar.children) tab.setAttribute("aria-current", tab.dataset.tab === id);
}
