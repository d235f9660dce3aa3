// Search without a server: a browser starts no worker from a file, so a hidden frame is the worker.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.inside = frame.contentWindow;
      const place = new URL(url, document.baseURI);
      const loaded = (source) => new Promise((done, failed) => {
        const script = frame.contentDocument.createElement("script");
        Object.assign(script, { src: new URL(source, place), onload: done, onerror: failed });
        frame.contentDocument.body.append(script);
      });
      this.inside.importScripts = (...sources) => Promise.all(sources.map(loaded));
      this.inside.postMessage = (data) => {
        const message = new MessageEvent("message", { data });
        this.dispatchEvent(message);
        this.onmessage?.(message);
      };
      this.ready = loaded(place);
    }

    async postMessage(data) {
      await this.ready;
      this.inside.dispatchEvent(new MessageEvent("message", { data }));
    }
  };
}
