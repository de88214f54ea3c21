import { createServer } from "node:net";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { ingest } from "../../../functions/workers/ingest.ts";
import type { FileKind } from "../../../lib/ingest/file-type.ts";
import { start } from "../../../lib/ingest/sandbox.ts";
import { root } from "../../support/sources.ts";

it("a parser cannot connect, listen, resolve names, send signals, start others, write, or read credentials", async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };

  // The port is in the place of the kind.
  const child = start(String(port) as FileKind, pathToFileURL(`${root}/test/support/stand-in-parser.mjs`));
  child.stdin?.end("bytes");
  const { environment, ...attempts } = JSON.parse(await text(child.stdout as NodeJS.ReadableStream));
  expect(environment).toEqual([]);
  expect(Object.keys(attempts).length).toBeGreaterThan(15);
  expect(Object.entries(attempts).filter(([, outcome]) => outcome !== "ERR_ACCESS_DENIED")).toEqual([]);
  expect(connections).toBe(0);
});

it("the function that starts readers opens no secret", () => {
  expect(ingest.grants.filter((grant) => grant.startsWith("key:"))).toEqual([]);
});
