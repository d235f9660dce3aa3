// Links over time: a row a link, a column a step of what is played, a cell what is on it.

class SpaceTime {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.all = [...new Set(scene.hops.place)].sort((a, b) => a - b);
  }

  // A hue per packet, neighbours apart; neither red (faults) nor violet (predicted losses).
  hue(packet) { return 70 + (packet * 137.5) % 150; }

  rowsFor(picked) {
    if (picked < 0) return this.all;
    const way = [...new Set([...player.way(picked)].map((row) => scene.hops.place[row]))];
    return way.length ? way : this.all;
  }

  paint(view, at, side, picked) {
    const c = this.context, colour = colours(), ratio = window.devicePixelRatio || 1;
    const width = this.canvas.clientWidth || 600, rows = this.rowsFor(picked);
    const label = picked >= 0 || rows.length <= 24 ? Math.min(190, width * 0.34) : 0;
    const high = Math.max(1, Math.min(16, 300 / rows.length));
    const height = Math.max(60, Math.min(320, high * rows.length + 24));
    if (this.canvas.width !== Math.round(width * ratio)
      || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      this.canvas.style.height = `${height}px`;
    }
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, width, height);
    const wide = Math.max(3, Math.min(14, (width - label) / 90));
    const columns = Math.floor((width - label) / wide), key = Math.floor(at);
    const from = Math.max(0, Math.min(view.count - columns, key - (columns >> 1)));
    const row = new Map(rows.map((place, i) => [place, i]));
    const { hops, events } = scene;
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    this.shape = { label, wide, high, from, rows };
    for (let k = from; k < Math.min(view.count, from + columns); k += 1) {
      const x = label + (k - from) * wide;
      if (view.bySlot && k % view.steps === 0) {
        c.fillStyle = colour.line; c.fillRect(x, 0, 1, height - 20);
      }
      for (const hop of view.hops.of(k)) {
        if (!(hops.who[hop] & side) || !row.has(hops.place[hop])) continue;
        const y = row.get(hops.place[hop]) * high, who = hops.who[hop];
        const odd = who === EXPECTED || who === SEEN;
        c.fillStyle = odd ? (who === SEEN ? colour.bad : colour.warn)
          : `hsl(${this.hue(hops.packet[hop])} 55% ${dark ? 60 : 45}%)`;
        c.globalAlpha = picked >= 0 && hops.packet[hop] !== picked ? 0.35 : 1;
        if (who === EXPECTED) c.fillRect(x, y + high / 3, wide, Math.max(1, high / 3));
        else c.fillRect(x, y, wide - (wide > 5 ? 1 : 0), Math.max(1, high - (high > 3 ? 1 : 0)));
        c.globalAlpha = 1;
      }
      for (const event of view.events.of(k)) {
        if (!row.has(events.place[event])) continue;
        const y = row.get(events.place[event]) * high;
        c.fillStyle = scene.kinds[events.kind[event]][1] ? colour.bad : colour.lost;
        c.fillRect(x, y, wide, Math.max(2, high));
      }
    }
    c.strokeStyle = colour.ink; c.lineWidth = 1;
    c.strokeRect(label + (key - from) * wide - 0.5, 0.5, wide, height - 21);
    c.fillStyle = colour.muted; c.font = "11px system-ui, sans-serif"; c.textBaseline = "middle";
    c.textAlign = "left";
    if (label) {
      rows.forEach((place, i) => {
        if (high >= 9) c.fillText(placeName(place), 6, i * high + high / 2, label - 10);
      });
    }
    c.textBaseline = "alphabetic";
    const every = Math.max(1, Math.round(80 / wide / view.steps)) * view.steps;
    for (let k = Math.ceil(from / every) * every; k < from + columns; k += every) {
      const x = label + (k - from) * wide;
      if (k < view.count && x < width - 40) {
        c.fillText(`${scene.first + Math.floor(k / view.steps)}`, x, height - 6);
      }
    }
  }

  at(x, y, view) {
    const { label, wide, high, from, rows } = this.shape;
    const key = from + Math.floor((x - label) / wide), place = rows[Math.floor(y / high)];
    const hop = [...view.hops.of(key)].find((row) => scene.hops.place[row] === place);
    return { key, packet: hop === undefined ? -1 : scene.hops.packet[hop] };
  }
}
