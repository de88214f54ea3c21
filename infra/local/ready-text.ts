// What `npm start` prints when the service is ready.
import type { Demo } from "./demo.ts";

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

/** Returns a curl command that generates a user token, and one that only reads. */
function curlCommands(url: string, { apiKey, authToken, readToken }: Demo): string[] {
  const user = {
    userId: "alice",
    userProperties: { name: "Alice", email: "alice@example.com" },
    permissions: { resources: [{ type: "organization", id: "demo" }] },
  };
  const command = (path: string, token: string, data: object) =>
    [
      `curl -s ${url}${path}`,
      "-H 'content-type: application/json'",
      `-H 'x-service-api-key: ${apiKey}'`,
      `-H 'x-service-auth-token: ${token}'`,
      `-d '${JSON.stringify({ data })}'`,
    ].join(" ");
  return [
    command("/v2/auth/generate_token", authToken, user),
    command("/v2/users/get", readToken, { organizationId: "demo" }),
  ];
}
