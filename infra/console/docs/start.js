// Starts Scalar. It asks no other host: no fonts, no telemetry, no proxy, no agent and no search service.
import { createApiReference } from "/docs/scalar/standalone.esm.js";

// The key that the printed address brings, as page/key.ts keeps it. Requests through the console need it.
const [, brought] = /^#console-key=([\w-]+)$/.exec(location.hash) ?? [];
if (brought) {
  history.replaceState(null, "", location.pathname);
  inStorage((storage) => storage.setItem("console-key", brought));
}

function inStorage(use) {
  try {
    return use(localStorage);
  } catch {
    // A browser can deny storage. The key then ends with this page.
  }
}

const send = window.fetch.bind(window);
window.fetch = (input, init) => {
  const request = new Request(input, init);
  const { origin, pathname } = new URL(request.url);
  const key = inStorage((storage) => storage.getItem("console-key")) ?? brought;
  if (key && origin === location.origin && pathname.startsWith("/console/")) request.headers.set("x-console-key", key);
  return send(request);
};

createApiReference("#reference", {
  url: "/docs/openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: "never",
  hideClientButton: true,
  documentDownloadType: "none",
  persistAuth: false,
  // The document has samples of its own.
  hiddenClients: true,
  metaData: { title: "Reference" },
});
