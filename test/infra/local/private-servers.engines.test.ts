// Every port that the local server opens, against the pages of a browser.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { expect, it } from "vitest";
import { serve, stopped } from "../../support/local/serve.ts";
import { enginesOn, temporaryFolder } from "../../support/local/start.ts";

/** The TCP ports on which a process listens. */
function portsOf(pid: number): number[] {
  const folder = `/proc/${pid}/fd`;
  const inodes = readdirSync(folder).flatMap((name) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(join(folder, name)))?.[1] ?? [];
    } catch {
      return []; // The descriptor was closed meanwhile.
    }
  });
  const rows = readFileSync(`/proc/${pid}/net/tcp`, "utf8").trim().split("\n").slice(1);
  return rows.flatMap((row) => {
    const [, local = "", , state, , , , , , inode = ""] = row.trim().split(/\s+/);
    return state === "0A" && inodes.includes(inode) ? [Number.parseInt(local.split(":")[1] ?? "", 16)] : [];
  });
}

const statusOf = (port: number, headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve) => {
    const sent = request({ host: "127.0.0.1", port, method: "POST", headers }, ({ statusCode }) => resolve(statusCode));
    sent.once("error", () => resolve(undefined)).end("{}");
  });

it.skipIf(process.platform !== "linux")("no port of the server answers a page of another origin or name", async () => {
  const folder = temporaryFolder();
  const server = await serve(folder, "--demo-ai");
  const [engine = 0] = enginesOn(folder);
  const own = portsOf(server.ready.pid).filter((port) => port !== Number(new URL(server.ready.url).port));
  // KMS, S3, SQS, SES, SendGrid, Slack and the demo's models.
  expect(own.length).toBeGreaterThanOrEqual(7);
  for (const port of own) {
    expect([port, await statusOf(port, { origin: "https://evil.example" })]).toEqual([port, 403]);
    expect([port, await statusOf(port, { "sec-fetch-site": "cross-site" })]).toEqual([port, 403]);
    expect([port, await statusOf(port, { host: `evil.example:${port}` })]).toEqual([port, 403]);
  }
  // The engine has no such guard, so it is where browsers send nothing. `fetch` of Node keeps to the same list.
  const [enginePort] = portsOf(engine);
  const refusal = await fetch(`http://127.0.0.1:${enginePort}/`).catch((thrown: Error) => thrown.cause);
  expect(refusal).toMatchObject({ message: "bad port" });
  expect(await stopped(server, "SIGTERM")).toBe(0);
});
