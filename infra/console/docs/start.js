// Starts Scalar. It asks no other host: no fonts, no telemetry, no proxy, no agent and no search service.
import { createApiReference } from "/docs/scalar/standalone.esm.js";

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
