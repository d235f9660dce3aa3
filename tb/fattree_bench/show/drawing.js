// The network on a canvas: boxes, lanes, and what moves on them.

const OVERVIEW = 4000; // lanes: beyond, a link is one line, and packets are not drawn one by one

function colours() {
  const style = getComputedStyle(document.documentElement);
  const names = ["ink", "muted", "lane", "node", "flow", "trail", "bad", "warn", "lost", "good", "pick",
    "card", "line", "track", "load0", "load1", "load2", "load3", "load4"];
  return Object.fromEntries(names.map((n) => [n, style.getPropertyValue(`--${n}`).trim()]));
}

function ramp(colour, share) {
  const part = Math.max(0, Math.min(3.999, share * 4)), i = Math.floor(part);
  const hex = (c) => [1, 3, 5].map((k) => parseInt(c.slice(k, k + 2), 16));
  const low = hex(colour[`load${i}`]), high = hex(colour[`load${i + 1}`]);
  const mixed = low.map((v, k) => Math.round(v + (part - i) * (high[k] - v)));
  return `rgb(${mixed.join(",")})`;
}

class Drawing {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
    this.base = document.createElement("canvas");
    this.laneBase = [];
    let lanes = 0;
    for (const link of scene.links) { this.laneBase.push(lanes); lanes += link[3]; }
    this.lanes = lanes;
    this.overview = lanes > OVERVIEW;
    this.loads = false;
    this.carried = new Int32Array(scene.links.length);
    scene.hops.place.forEach((place, i) => {
      if (place < this.carried.length && scene.hops.who[i] !== EXPECTED) this.carried[place] += 1;
    });
    this.hottest = 0;
    scene.links.forEach((link, i) => { this.hottest = Math.max(this.hottest, this.load(i)); });
    this.gaugeOf = new Map(); // by place: [gauges, number of the first, how many]
    scene.gauges.forEach((gauges) => gauges.places.forEach((place, i) => {
      if (!this.gaugeOf.has(place)) this.gaugeOf.set(place, []);
      this.gaugeOf.get(place).push([gauges, i]);
    }));
  }

  // What a lane of a link carried per time, on the average.
  load(link) {
    return this.carried[link] / scene.links[link][3] / (scene.last - scene.first + 1);
  }

  resize() {
    const ratio = window.devicePixelRatio || 1, width = this.canvas.clientWidth || 600;
    const xs = scene.nodes.map((n) => n[1]), ys = scene.nodes.map((n) => n[2]);
    const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const rows = new Map();
    scene.nodes.forEach((n) => {
      if (!rows.has(n[2])) rows.set(n[2], []);
      rows.get(n[2]).push(n[1]);
    });
    const height = Math.max(220, Math.min(620, 60 + 104 * (rows.size - 1) + 40));
    this.width = width; this.height = height;
    for (const c of [this.canvas, this.base]) {
      c.width = Math.round(width * ratio); c.height = Math.round(height * ratio);
    }
    this.canvas.style.height = `${height}px`;
    this.ratio = ratio;
    const margin = Math.min(40, width * 0.06);
    const sx = (width - 2 * margin) / Math.max(1e-6, x1 - x0);
    const sy = (height - 64) / Math.max(1e-6, y1 - y0);
    const pitch = new Map();
    rows.forEach((list, y) => {
      const sorted = [...list].sort((a, b) => a - b);
      let least = Infinity;
      for (let i = 1; i < sorted.length; i += 1) least = Math.min(least, sorted[i] - sorted[i - 1]);
      pitch.set(y, least * sx);
    });
    this.boxes = scene.nodes.map(([name, x, y, kind, wide]) => {
      const room = Math.min(pitch.get(y), 160);
      const w = Math.max(3, Math.min(kind === "leaf" ? 30 : 64 * wide, room * 0.82));
      const h = kind === "queue" ? 30 : 22;
      return { name, kind, x: margin + (x - x0) * sx, y: 30 + (y - y0) * sy, w, h };
    });
    this.layLanes();
    this.paintBase();
  }

  layLanes() {
    const ends = new Map(); // the links between two boxes, either way
    scene.links.forEach(([, tail, head], i) => {
      const key = tail < head ? `${tail} ${head}` : `${head} ${tail}`;
      if (!ends.has(key)) ends.set(key, []);
      ends.get(key).push(i);
    });
    this.x0 = new Float32Array(this.lanes); this.y0 = new Float32Array(this.lanes);
    this.x1 = new Float32Array(this.lanes); this.y1 = new Float32Array(this.lanes);
    this.spacing = new Float32Array(scene.links.length);
    for (const group of ends.values()) {
      const total = group.reduce((sum, i) => sum + scene.links[i][3], 0) + 0.8 * (group.length - 1);
      let place = 0;
      for (const i of group) {
        const [, tail, head, lanes] = scene.links[i];
        const a = this.boxes[tail], b = this.boxes[head];
        const dx = b.x - a.x, dy = b.y - a.y, flat = Math.abs(dy) < 1;
        const room = flat ? Math.min(a.h, b.h) : Math.min(a.w, b.w);
        const pitch = Math.min(5, room / total);
        this.spacing[i] = pitch;
        for (let lane = 0; lane < lanes; lane += 1) {
          const aside = (place + lane + 0.5 - total / 2) * pitch;
          const k = this.laneBase[i] + lane;
          const side = Math.sign(flat ? dx : dy);
          const [ox, oy] = flat ? [0, aside] : [aside, 0];
          this.x0[k] = a.x + ox + (flat ? side * a.w / 2 : 0);
          this.y0[k] = a.y + oy + (flat ? 0 : side * a.h / 2);
          this.x1[k] = b.x + ox - (flat ? side * b.w / 2 : 0);
          this.y1[k] = b.y + oy - (flat ? 0 : side * b.h / 2);
        }
        place += lanes + 0.8;
      }
    }
  }

  line(context, k) {
    context.moveTo(this.x0[k], this.y0[k]);
    context.lineTo(this.x1[k], this.y1[k]);
  }

  paintBase() {
    const c = this.base.getContext("2d"), colour = this.colour = colours();
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.fillStyle = colour.card;
    c.fillRect(0, 0, this.width, this.height);
    scene.links.forEach(([, , , lanes], i) => {
      c.strokeStyle = this.loads ? ramp(colour, this.load(i) / (this.hottest || 1)) : colour.lane;
      c.lineWidth = this.loads ? Math.max(1.5, this.spacing[i] * 0.8)
        : Math.max(0.5, Math.min(1, this.spacing[i] * 0.5));
      c.beginPath();
      const last = this.overview ? 1 : lanes;
      for (let lane = 0; lane < last; lane += 1) this.line(c, this.laneBase[i] + lane);
      c.stroke();
    });
    c.font = "11px system-ui, sans-serif"; c.textAlign = "center"; c.textBaseline = "middle";
    for (const box of this.boxes) this.box(c, box, colour.node, colour.line);
  }

  box(c, box, fill, stroke) {
    c.fillStyle = fill; c.strokeStyle = stroke; c.lineWidth = 1;
    c.beginPath();
    c.roundRect(box.x - box.w / 2, box.y - box.h / 2, box.w, box.h, Math.min(4, box.w / 4));
    c.fill(); c.stroke();
    const short = box.name.replace(/^[^\d(]*/, "") || box.name;
    for (const text of [box.name, short]) {
      if (c.measureText(text).width <= box.w - 2) {
        c.fillStyle = this.colour.ink;
        const gauged = this.gaugeOf.has(this.boxes.indexOf(box) + scene.links.length);
        c.fillText(text, box.x, box.y + (box.kind === "queue" ? -6 : gauged ? -4 : 0));
        break;
      }
    }
  }

  paint(view, at, side, picked) {
    const c = this.context, key = Math.floor(at), share = at - key;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.drawImage(this.base, 0, 0);
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    if (view.bySlot) {
      for (let k = view.begin(key); k < key; k += 1) this.paintHops(c, view, k, side, -1);
    }
    if (picked >= 0) this.paintWay(c, view, picked);
    this.paintHops(c, view, key, side, share, picked);
    this.paintGauges(c, view, key);
    const from = view.bySlot ? view.begin(key) : key;
    for (let k = from; k <= key; k += 1) this.paintEvents(c, view, k);
    c.font = "11px system-ui, sans-serif"; c.textAlign = "center"; c.textBaseline = "middle";
    for (let k = from; k <= key; k += 1) this.paintArrivals(c, view, k);
  }

  lane(row) {
    const { place, lane } = scene.hops;
    if (place[row] >= scene.links.length) return -1;
    const lanes = scene.links[place[row]][3];
    return this.laneBase[place[row]] + (this.overview ? 0 : Math.min(lane[row], lanes - 1));
  }

  // Lanes in use at a key; share < 0: as a trail, else with what moves on them.
  paintHops(c, view, key, side, share, picked = -1) {
    const { hops } = scene, colour = this.colour, rows = view.hops.of(key);
    const trail = share < 0;
    const groups = [
      [colour.flow, (who) => who === (EXPECTED | SEEN) || who >= UNSEEN, []],
      [colour.warn, (who) => who === EXPECTED, [4, 3]],
      [colour.bad, (who) => who === SEEN, []],
    ];
    for (const [ink, of, dash] of groups) {
      c.strokeStyle = trail && ink === colour.flow ? colour.trail : ink;
      c.setLineDash(dash);
      c.lineWidth = this.overview ? 1 : trail ? 1.5 : 2;
      c.beginPath();
      for (const row of rows) {
        if (!(hops.who[row] & side) || !of(hops.who[row])) continue;
        const k = this.lane(row);
        if (k >= 0) this.line(c, k);
      }
      c.stroke();
      c.setLineDash([]);
      if (trail) continue;
      const big = Math.max(2, Math.min(4.5, this.spacing[0] || 4));
      c.fillStyle = ink;
      for (const row of rows) {
        if (!(hops.who[row] & side) || !of(hops.who[row])) continue;
        if (this.overview && hops.packet[row] !== picked) continue;
        this.dot(c, row, share, big, ink === colour.warn, hops.packet[row] === picked);
      }
    }
  }

  dot(c, row, share, big, hollow, picked) {
    const k = this.lane(row), { part, who, place } = scene.hops;
    let x, y;
    if (k >= 0) {
      x = this.x0[k] + share * (this.x1[k] - this.x0[k]);
      y = this.y0[k] + share * (this.y1[k] - this.y0[k]);
    } else {
      const box = this.boxes[place[row] - scene.links.length];
      [x, y] = [box.x, box.y];
    }
    const size = part[row] > 1 ? big * 0.4 : part[row] > 0 ? big * 0.7 : big;
    c.beginPath();
    if (who[row] === SEEN) { // a diamond: what should not be there is told by its shape, too
      c.moveTo(x, y - 1.5 * size); c.lineTo(x + 1.5 * size, y);
      c.lineTo(x, y + 1.5 * size); c.lineTo(x - 1.5 * size, y); c.closePath();
    } else c.arc(x, y, size, 0, 2 * Math.PI);
    if (hollow) { c.lineWidth = 1.5; c.stroke(); } else c.fill();
    if (picked) {
      c.strokeStyle = this.colour.pick; c.lineWidth = 2.5;
      c.beginPath(); c.arc(x, y, size + 3.5, 0, 2 * Math.PI); c.stroke();
    }
  }

  paintWay(c, view, picked) {
    const { hops } = scene;
    c.strokeStyle = this.colour.pick; c.lineWidth = 4; c.globalAlpha = 0.45;
    c.beginPath();
    for (const row of player.way(picked)) {
      const k = this.lane(row);
      if (k >= 0 && hops.who[row]) this.line(c, k);
    }
    c.stroke();
    c.globalAlpha = 1;
  }

  paintEvents(c, view, key) {
    const { events } = scene;
    for (const row of view.events.of(key)) {
      const place = events.place[row], k = this.laneBase[place];
      const fault = scene.kinds[events.kind[row]][1];
      const last = place < scene.links.length ? k + scene.links[place][3] - 1 : 0;
      const box = this.boxes[place - scene.links.length];
      const x = box ? box.x : (this.x0[k] + this.x0[last]) / 2;
      const y = box ? box.y : this.y0[k];
      c.strokeStyle = fault ? this.colour.bad : this.colour.lost; c.lineWidth = 2.5;
      const size = fault ? 8 : 5.5;
      c.beginPath();
      c.moveTo(x - size, y - size); c.lineTo(x + size, y + size);
      c.moveTo(x - size, y + size); c.lineTo(x + size, y - size);
      c.stroke();
      if (place < scene.links.length && fault) {
        c.lineWidth = 4;
        c.beginPath();
        for (let lane = k; lane <= last; lane += 1) this.line(c, lane);
        c.stroke();
      }
    }
  }

  paintArrivals(c, view, key) {
    const { arrivals } = scene;
    for (const row of view.arrivals.of(key)) {
      const box = this.boxes[arrivals.leaf[row] - scene.links.length];
      const wrong = arrivals.wrong[row];
      c.strokeStyle = wrong ? this.colour.bad : this.colour.good;
      c.lineWidth = wrong ? 3 : 2;
      c.strokeRect(box.x - box.w / 2, box.y - box.h / 2, box.w, box.h);
      if (wrong) {
        c.fillStyle = this.colour.bad;
        c.fillText("✗", box.x, box.y + box.h / 2 + 8);
      }
    }
  }

  paintGauges(c, view, key) {
    const time = scene.first + Math.floor(key / view.steps);
    for (const [place, list] of this.gaugeOf) {
      const box = this.boxes[place - scene.links.length];
      const wide = Math.max(1, Math.min(9, (box.w - 4) / list.length));
      list.forEach(([gauges, i], n) => {
        const row = time - gauges.first;
        if (row < 0 || row >= gauges.times) return;
        const value = gauges.seen[i * gauges.times + row];
        const due = gauges.expected ? gauges.expected[i * gauges.times + row] : value;
        const x = box.x - wide * list.length / 2 + n * wide, y = box.y + box.h / 2 - 2;
        const room = box.kind === "queue" ? 14 : 6;
        if (gauges.words.length) { // states
          c.fillStyle = value ? ramp(this.colour, value / (gauges.words.length - 1))
            : this.colour.card;
          c.fillRect(x, y - room, Math.max(0.8, wide - 1), room);
        } else {
          c.fillStyle = value === due ? this.colour.flow : this.colour.bad;
          const high = value ? Math.max(2, room * value / Math.max(1, gauges.most)) : 0;
          c.fillRect(x, y - high, Math.max(0.8, wide - 1), high);
        }
        if (value !== due) {
          c.strokeStyle = this.colour.bad; c.lineWidth = 1.5;
          c.strokeRect(x - 1, y - room - 1, wide + 1, room + 2);
        }
      });
    }
  }

  // The packet, else the box or link, at a point of the canvas.
  at(x, y, view, at) {
    const key = Math.floor(at), share = at - key, { hops } = scene;
    let best = null, least = 10;
    for (const row of view.hops.of(key)) {
      const k = this.lane(row);
      if (k < 0) continue;
      const far = Math.hypot(x - this.x0[k] - share * (this.x1[k] - this.x0[k]),
        y - this.y0[k] - share * (this.y1[k] - this.y0[k]));
      if (far < least) { least = far; best = { packet: hops.packet[row], place: hops.place[row] }; }
    }
    if (best) return best;
    for (let i = 0; i < this.boxes.length; i += 1) {
      const box = this.boxes[i];
      if (Math.abs(x - box.x) <= box.w / 2 && Math.abs(y - box.y) <= box.h / 2) {
        return { packet: -1, place: scene.links.length + i };
      }
    }
    least = 6;
    scene.links.forEach(([, , , lanes], i) => {
      for (let lane = 0; lane < lanes; lane += 1) {
        const k = this.laneBase[i] + lane;
        const dx = this.x1[k] - this.x0[k], dy = this.y1[k] - this.y0[k];
        const part = ((x - this.x0[k]) * dx + (y - this.y0[k]) * dy) / (dx * dx + dy * dy || 1);
        const near = Math.max(0, Math.min(1, part));
        const far = Math.hypot(x - this.x0[k] - near * dx, y - this.y0[k] - near * dy);
        if (far < least) { least = far; best = { packet: -1, place: i, lane }; }
      }
    });
    return best;
  }
}
