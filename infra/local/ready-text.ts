// What `npm start` prints when the service is ready.
import { curlCommands, type Demo } from "./demo.ts";

export interface Ready {
  url: string;
  demo: Demo;
  consoleAddress(): string;
  hardSeed: number | undefined;
}

/** The one line of `--json`. */
export function readyJson({ url, demo, consoleAddress, hardSeed: seed }: Ready): string {
  return `${JSON.stringify({ url, ...demo, console: consoleAddress(), pid: process.pid, seed })}\n`;
}

/** The addresses and keys, with two commands to paste. */
export function readyText(
  { url, demo, consoleAddress, hardSeed: seed }: Ready,
  { demoAi }: { demoAi: boolean },
): string {
  const { apiKey, authToken, readToken } = demo;
  const lines = [
    ...(seed === undefined ? [] : [["Seed", String(seed)]]),
    ["URL", url],
    ["Console", consoleAddress()],
    ["Reference", `${url}/docs`],
    ["OpenAPI", `${url}/openapi.json`],
    ["API key", apiKey],
    ["Auth token", authToken],
    ["Read token", readToken],
  ];
  const table = lines.map(([label = "", value]) => `${label.padEnd(11)} ${value}\n`).join("");
  const ai = demoAi
    ? "The AI endpoints return canned replies (--demo-ai)."
    : "The AI endpoints need a vendor's key. For canned replies: npm start -- --demo-ai";
  return `\n${table}\n${curlCommands(url, demo).join("\n\n")}\n\n${ai}\n`;
}
