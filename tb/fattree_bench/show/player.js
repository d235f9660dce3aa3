// What the reader does, and what he is told.

const $ = (id) => document.getElementById(id);

class Player {
  async start() {
    await load();
    this.views = [...(scene.steps ? [true] : []), ...(scene.byTime ? [false] : [])]
      .map((bySlot) => new View(bySlot));
    [this.view] = this.views;
    this.drawing = new Drawing($("drawing"));
    this.spacetime = new SpaceTime($("spacetime"));
    this.at = 0.5; this.playing = false; this.picked = -1; this.side = 15;
    this.ways = indexed(scene.hops.packet, scene.packets.source.length);
    $("view").replaceChildren(...this.views.map((view, i) => {
      const unit = view.bySlot ? scene.slot : scene.unit;
      return new Option(`${unit} by ${unit}`, String(i));
    }));
    $("inside").textContent = scene.inside;
    $("next-conflict").hidden = !scene.events.time.length;
    $("next-wrong").hidden = !this.views.some((view) => view.wrong.some(Boolean));
    this.bind();
    this.resize();
    this.toStart();
    window.ready = true;
  }

  // Rows of a packet's hops, in time.
  way(packet) {
    const rows = [...this.ways.of(packet)], { time, step } = scene.hops;
    return rows.sort((a, b) => time[a] - time[b] || step[a] - step[b]);
  }

  bind() {
    const on = (id, what) => $(id).addEventListener("click", what);
    on("start", () => this.go(0));
    on("back", () => this.step(-1));
    on("forward", () => this.step(1));
    on("play", () => this.toggle());
    on("next-conflict", () => this.jump("lost", 1));
    on("next-wrong", () => this.jump("wrong", 1));
    if ($("to-wrong")) on("to-wrong", () => this.toWrong());
    $("scrub").addEventListener("input", () => this.go(Number($("scrub").value)));
    $("view").addEventListener("change", () => this.look(Number($("view").value)));
    $("side").addEventListener("change", () => {
      this.side = Number($("side").value); this.show();
    });
    $("loads").addEventListener("change", () => this.showLoads($("loads").checked));
    window.addEventListener("resize", () => this.resize());
    window.addEventListener("hashchange", () => this.toStart());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.resize());
    document.addEventListener("keydown", (event) => this.key(event));
    $("drawing").addEventListener("click", (event) => {
      const found = this.under(event);
      this.pick(found ? found.packet : -1);
    });
    $("drawing").addEventListener("mousemove", (event) => this.tip(event));
    $("drawing").addEventListener("mouseleave", () => { $("tip").hidden = true; });
    $("spacetime").addEventListener("click", (event) => {
      const found = this.spacetime.at(event.offsetX, event.offsetY, this.view);
      this.go(found.key);
      if (found.packet >= 0) this.pick(found.packet);
    });
    document.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-packet]");
      if (button) this.pick(Number(button.dataset.packet));
    });
  }

  key(event) {
    if (event.target.matches("select, input[type=range]") && event.key !== " ") return;
    if (event.target.matches("summary, input[type=checkbox]") && event.key === " ") return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const far = event.shiftKey ? 10 : 1;
    const keys = {
      " ": () => this.toggle(), ArrowLeft: () => this.step(-far), ArrowRight: () => this.step(far),
      Home: () => this.go(0), End: () => this.go(this.view.count - 1),
      n: () => this.jump("lost", 1), p: () => this.jump("lost", -1),
      d: () => this.jump("wrong", 1), D: () => this.jump("wrong", -1),
      "+": () => this.faster(1), "-": () => this.faster(-1),
      l: () => this.showLoads(!this.drawing.loads), Escape: () => this.pick(-1),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }

  faster(way) {
    const box = $("speed"), next = box.selectedIndex + way;
    if (next >= 0 && next < box.options.length) box.selectedIndex = next;
  }

  // Where the page begins: as its address says, else where the command line or a fault does.
  toStart() {
    const asked = /^#t=(\d+)$/.exec(location.hash);
    if (asked) this.go(this.view.keyOf(Number(asked[1])));
    else if (location.hash === "#wrong" || (scene.wrong !== null && scene.at === scene.wrong)) {
      this.toWrong();
    } else if (scene.at !== null) this.go(this.view.keyOf(scene.at));
    else {
      const first = this.view.busy.findIndex((count) => count > 0);
      this.go(Math.max(0, first));
    }
  }

  toWrong() {
    const k = this.view.next(this.view.wrong, -1, 1);
    this.go(Math.max(0, k));
    const { hops } = scene;
    const row = [...this.view.hops.of(this.key_())].find(
      (r) => hops.who[r] === EXPECTED || hops.who[r] === SEEN);
    if (row !== undefined) this.pick(hops.packet[row]);
  }

  key_() { return Math.floor(this.at); }

  look(number) {
    const time = scene.first + Math.floor(this.key_() / this.view.steps);
    this.view = this.views[number];
    this.go(this.view.keyOf(time));
    this.strip();
  }

  go(key) {
    this.at = Math.max(0, Math.min(this.view.count - 1, key)) + 0.5;
    this.show();
  }

  step(way) { this.pause(); this.go(this.key_() + way); }

  jump(what, way) {
    this.pause();
    const k = this.view.next(this.view[what], this.key_(), way);
    if (k >= 0) this.go(k);
  }

  toggle() { if (this.playing) this.pause(); else this.play(); }

  play() {
    this.playing = true;
    $("play").textContent = "Pause";
    let before = performance.now();
    const frame = (now) => {
      if (!this.playing) return;
      this.at += (now - before) / 1000 * Number($("speed").value);
      before = now;
      if (this.at >= this.view.count) { this.at = this.view.count - 0.5; this.pause(); }
      this.show();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  pause() { this.playing = false; $("play").textContent = "Play"; }

  resize() {
    this.drawing.resize();
    this.strip();
    this.legend();
    this.told = "";
    this.show();
  }

  showLoads(wanted) {
    this.drawing.loads = $("loads").checked = wanted;
    this.resize();
  }

  pick(packet) {
    this.picked = packet;
    this.tellPacket();
    this.show();
  }

  show() {
    const key = this.key_();
    this.drawing.paint(this.view, this.at, this.side, this.picked);
    const looks = [key, this.view.bySlot, this.side, this.picked].join();
    if (looks === this.told) return;
    this.told = looks;
    this.spacetime.paint(this.view, this.at, this.side, this.picked);
    $("scrub").max = String(this.view.count - 1);
    $("scrub").value = String(key);
    this.tell(key);
  }

  // How the run goes, over all of it: what moves, losses, disagreements.
  strip() {
    const canvas = $("strip"), ratio = window.devicePixelRatio || 1, c = canvas.getContext("2d");
    const width = canvas.clientWidth || 600, colour = colours(), { view } = this;
    canvas.width = Math.round(width * ratio); canvas.height = Math.round(26 * ratio);
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    const most = view.busy.reduce((a, b) => Math.max(a, b), 1);
    for (let x = 0; x < width; x += 1) {
      const from = Math.floor(x / width * view.count);
      const to = Math.max(from + 1, Math.floor((x + 1) / width * view.count));
      let busy = 0, lost = 0, wrong = 0;
      for (let k = from; k < to; k += 1) {
        busy = Math.max(busy, view.busy[k]); lost |= view.lost[k]; wrong |= view.wrong[k];
      }
      c.fillStyle = colour.trail; c.fillRect(x, 18 - 16 * busy / most, 1, 16 * busy / most);
      if (lost) { c.fillStyle = colour.lost; c.fillRect(x, 18, 1, 4); }
      if (wrong) { c.fillStyle = colour.bad; c.fillRect(x, 0, 1, 26); }
    }
  }

  legend() {
    const { drawing } = this, mark = (style, words) => {
      const item = document.createElement("span"), sample = document.createElement("i");
      sample.style.cssText = style; item.append(...style ? [sample] : [], words); return item;
    };
    const told = [];
    const looked = scene.hops.who.some((who) => who < UNSEEN);
    if (drawing.loads) {
      const shades = [0, 1, 2, 3, 4].map((i) => `var(--load${i})`).join(",");
      told.push(mark(`width:90px;background:linear-gradient(90deg,${shades})`,
        `0 … ${drawing.hottest.toPrecision(3)} ${scene.carries} a lane and ${scene.unit}`));
    }
    told.push(mark("background:var(--flow)", looked ? "in use, as the model says"
      : scene.hops.who.some((who) => who === UNJUDGED) ? "in use, in the RTL"
        : "in use, by the model"));
    if (looked) {
      told.push(mark("border:2px dashed var(--warn)", "expected, and not there"));
      told.push(mark("background:var(--bad)", "there, and not expected"));
    }
    scene.kinds.forEach(([words, fault], kind) => {
      if (!scene.events.kind.includes(kind)) return;
      told.push(mark("", `✗ ${words}`));
      told.at(-1).className = fault ? "wrong" : "lost";
    });
    told.push(mark("border:2px solid var(--good)", "arrives as expected"));
    told.push(mark("border:2px solid var(--pick)", `picked ${scene.noun}`));
    for (const gauges of scene.gauges) {
      const top = gauges.words.length - 1;
      gauges.words.forEach((words, i) => told.push(mark(
        `background:${i ? ramp(drawing.colour, i / top) : "var(--card)"};border:1px solid var(--line)`,
        words)));
      if (!gauges.words.length) {
        told.push(mark("background:var(--flow)", `bars: ${gauges.title || "queue"}, up to ${gauges.most}`));
      }
    }
    if (scene.bits.length) told.push(mark("", `dots, by size: ${scene.bits.join(", ")}`));
    $("legend").replaceChildren(...told);
  }

  tell(key) {
    const { view } = this, { arrivals, events, parts } = scene;
    const time = scene.first + Math.floor(key / view.steps);
    const part = parts.filter((p) => p[0] <= time).pop();
    $("when").textContent = view.told(key) + (part ? ` · ${part[1]}, its ${scene.unit} ${time - part[0]}` : "");
    const from = view.bySlot ? view.begin(key) : key, to = view.bySlot ? from + view.steps : key + 1;
    const rows = [];
    for (let k = from; k < to; k += 1) {
      for (const row of view.events.of(k)) {
        rows.push(["lost", placeName(events.place[row]), events.packet[row], null,
          scene.kinds[events.kind[row]][0], scene.kinds[events.kind[row]][1]]);
      }
    }
    for (let k = from; k < to; k += 1) {
      for (const row of view.arrivals.of(k)) {
        const late = k > key;
        rows.push([arrivals.wrong[row] ? "odd" : late ? "muted" : "", placeName(arrivals.leaf[row]),
          arrivals.expected[row], arrivals.seen[row], "", false]);
      }
    }
    rows.sort((a, b) => Number(b[0] === "odd") - Number(a[0] === "odd"));
    $("now-title").textContent = view.bySlot ? `Out of ${scene.slot} ${time}` : `Out in ${scene.unit} ${time}`;
    $("now").tHead.innerHTML = "<tr><th>where</th><th>model</th><th>RTL</th></tr>";
    const cell = (packet) => {
      const td = document.createElement("td");
      if (packet === null || packet < 0) { td.textContent = "–"; return td; }
      const button = document.createElement("button");
      button.type = "button"; button.dataset.packet = String(packet);
      const { source, destination, start } = scene.packets;
      const short = source[packet] >= 0 && (!view.bySlot || start[packet] === time);
      button.textContent = short ? `${source[packet]} → ${destination[packet]}` : packetName(packet);
      button.title = packetName(packet);
      td.append(button);
      return td;
    };
    $("now").tBodies[0].replaceChildren(...rows.slice(0, 256).map(([name, where, one, other, says, fault]) => {
      const tr = document.createElement("tr"), place = document.createElement("td");
      tr.className = fault ? "odd" : name;
      place.textContent = where;
      tr.append(place, cell(one));
      if (says) {
        const td = document.createElement("td"); td.textContent = says; tr.append(td);
      } else tr.append(cell(other));
      return tr;
    }));
  }

  tellPacket() {
    const box = $("packet"), packet = this.picked;
    if (packet < 0) { box.innerHTML = '<p class="muted">None.</p>'; return; }
    const { hops, arrivals, packets } = scene;
    const line = (words, name = "") => {
      const p = document.createElement("p"); p.textContent = words; p.className = name; return p;
    };
    const told = [line(`${scene.noun} ${packetName(packet)}`, "mono")];
    const says = scene.says[packets.says[packet]];
    if (says && packets.source[packet] >= 0) told.push(line(says));
    const when = (row) => `${scene.unit} ${arrivals.time[row]}`;
    arrivals.expected.forEach((p, row) => {
      if (p !== packet) return;
      const same = arrivals.seen[row] === packet;
      told.push(line(`expected at ${placeName(arrivals.leaf[row])} in ${when(row)}: `
        + (same ? "there it comes" : "the RTL does not give it there"), same ? "" : "wrong"));
    });
    arrivals.seen.forEach((p, row) => {
      if (p === packet && arrivals.expected[row] !== packet) {
        told.push(line(`the RTL gives it at ${placeName(arrivals.leaf[row])} in ${when(row)}, `
          + "where it is not expected", "wrong"));
      }
    });
    const rows = this.way(packet), grid = document.createElement("table");
    grid.innerHTML = `<thead><tr><th>${scene.bits.length ? scene.step : scene.unit}</th><th>its way</th><th>model</th><th>RTL</th></tr></thead>`;
    const body = grid.createTBody();
    let before = null;
    for (const row of rows.slice(0, 400)) {
      const who = hops.who[row], tr = body.insertRow();
      if (who === EXPECTED || who === SEEN) tr.className = "odd";
      const link = hops.place[row] < scene.links.length, part = hops.part[row];
      const lanes = link && scene.links[hops.place[row]][3] > 1 ? ` lane ${hops.lane[row]}` : "";
      if (scene.bits.length && part > 0) continue; // of a message as bits: where they begin
      const cells = [scene.bits.length ? hops.step[row] : hops.time[row], placeName(hops.place[row]) + lanes,
        who === UNJUDGED ? "?" : who & (EXPECTED | UNSEEN) ? "✓" : "–",
        who === UNSEEN ? "?" : who & (SEEN | UNJUDGED) ? "✓" : "–"];
      for (const text of cells) tr.insertCell().textContent = String(text);
      if (link && before !== null && hops.place[before] < scene.links.length
        && scene.links[hops.place[before]][2] === scene.links[hops.place[row]][1]
        && hops.place[before] !== hops.place[row]) {
        const node = scene.nodes[scene.links[hops.place[row]][1]][0];
        tr.title = `${node}: lane ${hops.lane[before]} of ${placeName(hops.place[before])} `
          + `is set to lane ${hops.lane[row]} of ${placeName(hops.place[row])}`;
        const set = body.insertRow(-1), td = set.insertCell();
        body.insertBefore(set, tr);
        td.colSpan = 4; td.className = "muted"; td.textContent = `↳ ${tr.title}`;
      }
      before = row;
    }
    told.push(grid);
    box.replaceChildren(...told);
  }

  under(event) {
    return this.drawing.at(event.offsetX, event.offsetY, this.view, this.at);
  }

  tip(event) {
    const found = this.under(event), tip = $("tip");
    tip.hidden = !found;
    if (!found) return;
    let words = placeName(found.place);
    if (found.packet >= 0) words = `${packetName(found.packet)} on ${words}`;
    else if (found.place < scene.links.length) {
      const load = this.drawing.load(found.place);
      words += `: ${scene.links[found.place][3]} lanes, ${this.drawing.carried[found.place]} `
        + `${scene.carries} in all, ${load.toPrecision(2)} a lane and ${scene.unit}`;
    } else {
      const list = this.drawing.gaugeOf.get(found.place) || [];
      const time = scene.first + Math.floor(this.key_() / this.view.steps);
      words += list.slice(0, 6).map(([gauges, i]) => {
        const value = gauges.seen[i * gauges.times + time - gauges.first];
        return ` · ${gauges.names[i]}: ${gauges.words.length ? gauges.words[value] : value}`;
      }).join("");
    }
    tip.textContent = words;
    tip.style.left = `${Math.min(event.offsetX + 14, this.drawing.width - 200)}px`;
    tip.style.top = `${event.offsetY + 14}px`;
  }

  // For tests and measurements.
  state() {
    const key = this.key_(), { hops } = scene;
    const rows = [...this.view.hops.of(key)];
    return {
      key, told: this.view.told(key), picked: this.picked, playing: this.playing,
      moving: rows.length, odd: rows.filter((r) => hops.who[r] === EXPECTED || hops.who[r] === SEEN).length,
      lost: this.view.events.of(key).length, keys: this.view.count,
      disagreements: this.view.wrong.reduce((a, b) => a + b, 0),
    };
  }

  // Milliseconds that a frame takes, on the average of so many.
  measured(frames) {
    const before = performance.now();
    for (let i = 0; i < frames; i += 1) {
      this.at = (this.at + 0.25) % this.view.count;
      this.show();
    }
    this.drawing.context.getImageData(0, 0, 1, 1); // when all is drawn
    return (performance.now() - before) / frames;
  }
}

const player = window.player = new Player();
player.start();
