/* SPDX-License-Identifier: MIT */
/* Figures along a line: of the frames of a dump, and of the steps of a frame. */

/* The columns of frames.tsv to draw: of each group the first one with a value above 0. */
const LANES = [
  ["draws", "calls", "allocating", "commands"],
  ["pixels", "gp0_words", "bytes", "memory_bytes", "freeing"],
  ["gpu_share", "dispatches", "late", "presents"],
];
function lanesOf(listing) {
  const sample = listing.take(listing.pieces[0]);
  return LANES.map(group => group.find(name => {
    const column = listing.column(name);
    return column >= 0 && sample.some(row => asNumber(row[column]) > 0);
  })).filter(Boolean);
}

/*
 * A line of `count` places. `values` are lanes of numbers, one for each place, or NaN; `marks` is a
 * set of places with a problem. `pick` and `hover` are called with the place under the mouse.
 */
class Line {
  constructor({height, pick, hover, label}) {
    Object.assign(this, {height, count: 0, values: [], marks: new Set(), now: -1, lit: null});
    this.canvas = h("canvas", {tabindex: 0, role: "slider", "aria-label": label, "aria-valuemin": 0});
    this.legend = h("div", {class: "legend"});
    this.setHeight(height);
    this.box = h("div", {class: "line"}, this.canvas, this.legend);
    this.update = redrawn(this.canvas, () => this.redraw());
    const at = event => this.place(event);
    this.canvas.addEventListener("pointerdown", event => { this.canvas.setPointerCapture(event.pointerId); pick(at(event)); });
    this.canvas.addEventListener("pointermove", event => { if (event.buttons & 1) pick(at(event)); if (hover) hover(at(event), event); });
    this.canvas.addEventListener("pointerleave", hideTip);
  }
  setHeight(high) {
    this.high = high;
    this.canvas.style.height = high + "px";
  }
  /* Without titles, the line is a plain bar, lower than a chart. */
  title(titles) {
    this.setHeight(titles.length > 0 ? this.height : 18);
    this.legend.replaceChildren(...titles.map((title, lane) => {
      const item = h("span", null, title);
      item.style.setProperty("--c", `var(--lane${lane + 1})`);
      return item;
    }));
  }
  place(event) {
    const box = this.canvas.getBoundingClientRect();
    return Math.min(this.count - 1, Math.max(0, Math.floor((event.clientX - box.left) / box.width * this.count)));
  }
  set(place) {
    this.now = place;
    this.canvas.setAttribute("aria-valuenow", place);
    this.canvas.setAttribute("aria-valuemax", Math.max(0, this.count - 1));
    this.update();
  }

  redraw() {
    const ratio = devicePixelRatio || 1, width = Math.round(this.canvas.clientWidth * ratio), height = Math.round(this.high * ratio);
    if (width === 0 || this.count === 0) return;
    this.canvas.width = width;
    this.canvas.height = height;
    const context = this.canvas.getContext("2d"), lanes = this.values.length, chart = this.high === this.height, top = chart ? 22 * ratio : 0;
    if (this.lit) this.drawLit(context, width, height);
    this.values.forEach((values, lane) => {
      const space = (height - top) / lanes, base = top + space * (lane + 1) - (lane + 1 < lanes ? 3 * ratio : 0);
      context.fillStyle = colour(chart ? `--lane${lane + 1}` : "--rule");
      this.drawLane(context, values, width, base, chart ? space - 5 * ratio : space);
    });
    context.fillStyle = colour("--bad");
    for (const place of this.marks) context.fillRect(place / this.count * width - ratio, height - 4 * ratio, Math.max(3 * ratio, width / this.count), 4 * ratio);
    if (this.now >= 0) this.drawNow(context, width, height, ratio);
  }
  drawLane(context, values, width, base, height) {
    const columns = Math.min(width, this.count), most = new Float64Array(columns).fill(NaN);
    let greatest = 0;
    for (let place = 0; place < this.count; place++) {
      const column = Math.floor((place + 0.5) / this.count * columns), value = values[place];
      if (value > greatest) greatest = value;
      if (value >= 0 && !(most[column] >= value)) most[column] = value;
    }
    const wide = width / columns, gap = wide > 4 ? 1 : 0;
    for (let column = 0; column < columns; column++)
      if (most[column] > 0) {
        const high = Math.max(1, most[column] / greatest * height);
        context.fillRect(column * wide, base - high, wide - gap, high);
      }
  }
  drawLit(context, width, height) {
    context.fillStyle = colour("--wash");
    for (const place of this.lit) context.fillRect(place / this.count * width, 0, Math.max(1, width / this.count), height);
  }
  drawNow(context, width, height, ratio) {
    const wide = Math.max(2 * ratio, width / this.count);
    context.fillStyle = colour("--accent");
    context.globalAlpha = 0.28;
    context.fillRect(this.now / this.count * width, 0, wide, height);
    context.globalAlpha = 1;
    context.fillRect(this.now / this.count * width + wide / 2 - ratio, 0, 2 * ratio, height);
  }
}
