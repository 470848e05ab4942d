// Pages opened from files may start no workers, and the search is one: there it runs in a frame without a picture.
"use strict";

if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.onmessage = null;
      this.waiting = [];
      this.ready = false;
      const begin = () => this.begin(String(url));
      if (document.body) begin();
      else document.addEventListener("DOMContentLoaded", begin);
    }

    begin(url) {
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.inside = frame.contentWindow;
      // What the worker's own code calls to answer.
      this.inside.postMessage = (data) => {
        const event = new MessageEvent("message", { data });
        this.dispatchEvent(event);
        if (this.onmessage) this.onmessage(event);
      };
      const script = frame.contentDocument.createElement("script");
      script.src = new URL(url, document.baseURI);
      script.addEventListener("load", () => {
        this.ready = true;
        this.waiting.splice(0).forEach((data) => this.postMessage(data));
      });
      frame.contentDocument.body.append(script);
      this.frame = frame;
    }

    postMessage(data) {
      if (!this.ready) this.waiting.push(data);
      else this.inside.dispatchEvent(new MessageEvent("message", { data }));
    }

    terminate() {
      if (this.frame) this.frame.remove();
    }
  };
}
