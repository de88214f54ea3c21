// A headless DOM for real editors. They look for its globals when they are imported, so import them after `openDom`.
import { createRequire } from "node:module";
import { vi } from "vitest";

// Its types would declare the DOM for all code of the project.
const { JSDOM } = createRequire(import.meta.url)("jsdom") as {
  JSDOM: new (html: string, options: object) => { window: Record<string, unknown> & { document: Page } };
};

interface Page {
  body: { appendChild<T>(child: T): T };
  createElement(name: string): Place;
}

// biome-ignore lint/suspicious/noExplicitAny: an element, for which the project has no type
type Place = any;

const globals = [
  ...[
    "window",
    "Window",
    "document",
    "Node",
    "Element",
    "HTMLElement",
    "HTMLDivElement",
    "Text",
    "Document",
    "DocumentFragment",
  ],
  ...["MutationObserver", "DOMParser", "Range", "Selection", "Event", "KeyboardEvent", "CustomEvent"],
  ...["getComputedStyle", "requestAnimationFrame", "cancelAnimationFrame", "innerHeight", "innerWidth"],
];

/** Opens a page until the end of the test file. `place` adds an empty element to it, for an editor. */
export function openDom(): { place(): Place } {
  const { window } = new JSDOM("<!doctype html><body></body>", { pretendToBeVisual: true });
  for (const name of globals) {
    const value = window[name];
    const isMethod = typeof value === "function" && /^[a-z]/.test(name) && name !== "window";
    vi.stubGlobal(name, isMethod ? value.bind(window) : value);
  }
  return { place: () => window.document.body.appendChild(window.document.createElement("div")) };
}
