// What live clients take from the page: clocks, timers, chance, WebSockets and the page's life. Tests have others.

/** `left`: the page ends, or waits in the cache of the browser. */
export type PageChange = "hidden" | "shown" | "left" | "offline" | "online";

export interface Surroundings {
  /** Milliseconds of a clock that never goes back. It can stand still while the machine sleeps. */
  now(): number;
  /** Unix milliseconds. */
  wall(): number;
  random(): number;
  /** Calls back once. Returns what cancels that. */
  after(ms: number, work: () => void): () => void;
  connect(url: string, protocols: string[]): WebSocket;
  /** Calls back at each change. Returns what ends that. */
  watch(heard: (change: PageChange) => void): () => void;
}

export const ofPage: Surroundings = {
  now: () => performance.now(),
  wall: () => Date.now(),
  random: () => Math.random(),
  after(ms, work) {
    const timer = setTimeout(work, Math.max(0, ms));
    return () => clearTimeout(timer);
  },
  connect: (url, protocols) => new WebSocket(url, protocols),
  watch(heard) {
    // Workers and Node have no page.
    if (!("document" in globalThis)) return () => undefined;
    const stop = new AbortController();
    const on = (target: EventTarget, type: string, change: () => PageChange) =>
      target.addEventListener(type, () => heard(change()), stop);
    const visibility = () => (document.visibilityState === "hidden" ? "hidden" : "shown");
    on(document, "visibilitychange", visibility);
    on(window, "pagehide", () => "left");
    on(window, "pageshow", visibility);
    on(window, "offline", () => "offline");
    on(window, "online", () => "online");
    if (visibility() === "hidden") heard("hidden");
    return () => stop.abort();
  },
};
