"use strict";

// What the page holds: columns of numbers, unpacked, and indexed by what is played.

const EXPECTED = 1, SEEN = 2, UNSEEN = 4, UNJUDGED = 8;
const scene = JSON.parse(document.getElementById("scene").textContent);

async function unpacked(text) {
  const raw = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const count = bytes.length / 4, values = new Int32Array(count);
  let sum = 0;
  for (let i = 0; i < count; i += 1) {
    const j = i + count;
    sum = (sum + (bytes[i] | (bytes[j] << 8) | (bytes[j + count] << 16)
      | (bytes[j + 2 * count] << 24))) | 0;
    values[i] = sum;
  }
  return values;
}

async function table(packed) {
  const found = {};
  for (const [name, text] of Object.entries(packed)) found[name] = await unpacked(text);
  return found;
}

async function load() {
  for (const name of ["packets", "hops", "arrivals", "events"]) {
    scene[name] = await table(scene[name]);
  }
  for (const gauges of scene.gauges) {
    gauges.seen = await unpacked(gauges.seen);
    if (gauges.expected) gauges.expected = await unpacked(gauges.expected);
  }
}

// Rows by key: `order` lists them, those of key k from start[k] to start[k + 1].
function indexed(keys, count) {
  const start = new Int32Array(count + 1);
  for (const key of keys) if (key >= 0 && key < count) start[key + 1] += 1;
  for (let k = 0; k < count; k += 1) start[k + 1] += start[k];
  const order = new Int32Array(start[count]), next = start.slice();
  keys.forEach((key, row) => { if (key >= 0 && key < count) order[next[key]++] = row; });
  return { order, start, of: (k) => order.subarray(start[k] || 0, start[k + 1] || 0) };
}

// What is played: one time after the other or, if a slot's ways are told, one slot after the other.
class View {
  constructor(bySlot) {
    const { packets, hops, arrivals, events, steps, first, last } = scene;
    this.bySlot = bySlot;
    this.steps = bySlot ? steps : 1;
    this.count = (last - first + 1) * this.steps;
    const key = bySlot
      ? (slot, step) => (slot - first) * steps + Math.min(step, steps - 1)
      : (slot, step, time) => time - first;
    const all = (rows, slot) => Int32Array.from(rows.time, (time, i) => {
      const s = slot(i);
      return bySlot && s < first ? -1 : key(s, rows.step[i], time);
    });
    this.hopKeys = all(hops, (i) => packets.start[hops.packet[i]]);
    this.hops = indexed(this.hopKeys, this.count);
    this.arrivalKeys = all(arrivals, (i) => arrivals.slot[i]);
    this.arrivals = indexed(this.arrivalKeys, this.count);
    this.eventKeys = all(events, (i) => (events.packet[i] < 0
      ? events.time[i] : packets.start[events.packet[i]]));
    this.events = indexed(this.eventKeys, this.count);
    this.wrong = new Uint8Array(this.count);
    this.lost = new Uint8Array(this.count);
    this.busy = new Int32Array(this.count);
    const mark = (into, k) => { if (k >= 0 && k < this.count) into[k] = 1; };
    hops.who.forEach((who, i) => {
      if (who === EXPECTED || who === SEEN) mark(this.wrong, this.hopKeys[i]);
      if (this.hopKeys[i] >= 0) this.busy[this.hopKeys[i]] += 1;
    });
    arrivals.wrong.forEach((wrong, i) => { if (wrong) mark(this.wrong, this.arrivalKeys[i]); });
    events.kind.forEach((kind, i) => {
      mark(scene.kinds[kind][1] ? this.wrong : this.lost, this.eventKeys[i]);
    });
  }

  // First key of the slot, or of the time, that a reader names.
  keyOf(time) { return Math.max(0, Math.min(this.count - 1, (time - scene.first) * this.steps)); }

  begin(key) { return key - (key % this.steps); }

  told(key) {
    const time = scene.first + Math.floor(key / this.steps);
    if (!this.bySlot) return `${scene.unit} ${time}`;
    return `${scene.slot} ${time}, ${scene.step} ${key % this.steps} of 0 … ${this.steps - 1}`;
  }

  // The next key from one on, in a direction, at which marks are set; -1: none.
  next(marks, key, way) {
    for (let k = key + way; k >= 0 && k < this.count; k += way) if (marks[k]) return k;
    return -1;
  }
}

function placeName(place) {
  const links = scene.links.length;
  return place < links ? scene.links[place][0] : scene.nodes[place - links][0];
}

function packetName(packet) {
  if (packet < 0) return "–";
  const { source, destination, start } = scene.packets;
  if (source[packet] < 0) return scene.says[scene.packets.says[packet]];
  const when = scene.steps ? scene.slot : scene.unit;
  return `${source[packet]} → ${destination[packet]} (${when} ${start[packet]})`;
}
