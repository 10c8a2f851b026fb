/* SPDX-License-Identifier: MIT */
/*
 * Memory over time, for dumps that have allocations.tsv: frames from left to right, addresses
 * downwards, a band for each block. An allocation is a rectangle from where it was made to where it
 * was destroyed; one that was moved is shown at its first place.
 */
const BAND_GAP = 10, LABEL = 16;

/* Makes the bands from the rows: one for each block, as high as the end of its last allocation. */
function bandsOf(listing) {
  const bands = new Map(), at = name => listing.column(name);
  const [pool, type, block, offset, size] = ["pool", "type", "block", "offset", "size"].map(at);
  for (let row = 0; row < listing.count; row++) {
    const values = listing.row(row);
    if (!values) continue;
    const key = values[block] === null || values[offset] === null ? "dedicated"
      : `${values[pool] === null ? "type " + values[type] : "pool " + values[pool]} · block ${values[block]}`;
    if (!bands.has(key)) bands.set(key, {key, rows: [], end: 0});
    const band = bands.get(key), place = key === "dedicated" ? band.end : Number(values[offset]);
    band.rows.push({row, from: place, to: place + Number(values[size])});
    band.end = Math.max(band.end, place + Number(values[size]));
  }
  return [...bands.values()].sort((a, b) => (a.key === "dedicated") - (b.key === "dedicated") || a.key.localeCompare(b.key, "en", {numeric: true}));
}

function placeBands(bands, height) {
  const whole = bands.reduce((sum, band) => sum + Math.sqrt(band.end), 0);
  let top = 0;
  for (const band of bands) {
    band.top = top + LABEL;
    band.height = Math.max(14, (height - bands.length * (BAND_GAP + LABEL)) * Math.sqrt(band.end) / whole);
    top = band.top + band.height + BAND_GAP;
  }
  return top;
}

/*
 * The hue of an allocation depends on its call, the shade on its number, so that neighbours differ.
 */
function fillOf(call, row, dark) {
  const hue = /Image/.test(call) ? 197 : /Buffer/.test(call) ? 42 : 320;
  return `hsl(${hue + row % 5 * 5} 55% ${(dark ? 40 : 56) + row * 7 % 5 * 4}%)`;
}

class Lives {
  constructor(listing) {
    this.listing = listing;
    this.bands = bandsOf(listing);
    this.canvas = h("canvas", {"aria-label": "Allocations over time", role: "img"});
    this.box = h("div", {class: "scroll text"}, this.canvas);
    this.lit = null;
    this.update = redrawn(this.box, () => this.redraw());
    this.canvas.addEventListener("pointermove", event => this.hover(event));
    this.canvas.addEventListener("pointerleave", () => { this.lit = null; hideTip(); this.update(); });
    this.canvas.addEventListener("click", event => {
      const found = this.find(event);
      if (found) location.href = framePage(this.life(found.row)[0]);
    });
  }
  life(row) {
    const made = asNumber(this.listing.cell(row, "created_frame")), gone = asNumber(this.listing.cell(row, "destroyed_frame"));
    return [made || 0, gone >= 0 ? gone : dump.frames];
  }
  x(frame) { return 20 + frame / Math.max(1, dump.frames) * (this.width - 40); }
  boxOf(band, item) {
    const [made, gone] = this.life(item.row), scale = band.height / band.end;
    return [this.x(made), band.top + item.from * scale, Math.max(1.5, this.x(gone) - this.x(made)), Math.max(0.6, (item.to - item.from) * scale)];
  }
  redraw() {
    const ratio = devicePixelRatio || 1, dark = schemes.matches;
    this.width = this.box.clientWidth;
    const height = placeBands(this.bands, Math.max(this.box.clientHeight - 24, this.bands.length * 44)) + 8;
    this.canvas.width = this.width * ratio;
    this.canvas.height = height * ratio;
    this.canvas.style.cssText = `width:${this.width}px;height:${height}px;display:block;cursor:crosshair`;
    const context = this.canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.font = "11px " + colour("--sans");
    for (const band of this.bands) {
      context.fillStyle = colour("--soft");
      context.fillText(`${band.key}   ${bytes(band.end)}, ${band.rows.length} allocation${band.rows.length === 1 ? "" : "s"}`, 20, band.top - 4);
      context.fillStyle = colour("--well");
      context.fillRect(20, band.top, this.width - 40, band.height);
      for (const item of band.rows) {
        context.fillStyle = item === this.lit ? colour("--accent") : fillOf(this.listing.cell(item.row, "call"), item.row, dark);
        context.fillRect(...this.boxOf(band, item));
      }
    }
  }
  find(event) {
    const box = this.canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    const band = this.bands.find(one => y >= one.top && y < one.top + one.height);
    return band && band.rows.findLast(item => {
      const [left, top, wide, high] = this.boxOf(band, item);
      return x >= left && x < left + wide + 1 && y >= top && y < top + high + 1;
    });
  }
  hover(event) {
    const found = this.find(event) || null;
    if (found !== this.lit) { this.lit = found; this.update(); }
    if (!found) { hideTip(); return; }
    const [made, gone] = this.life(found.row), values = this.listing.row(found.row), list = h("dl", null, pairs(this.listing.columns.map((name, column) => [name, values[column]])));
    showTip(event, h("b", null, `${bytes(found.to - found.from)}, frames ${made} to ${gone >= dump.frames ? "the end" : gone}`), list);
  }
}

async function showLives(place) {
  place.replaceChildren(h("p", {class: "empty"}, "…"));
  const listing = new Listing("", "allocations.tsv");
  try {
    await listing.open();
  } catch (error) {
    place.replaceChildren(tellUnread("allocations.tsv"));
    return;
  }
  await listing.all();
  place.replaceChildren(listing.count > 0 ? new Lives(listing).box : h("p", {class: "empty"}, "Nothing was allocated."));
}
