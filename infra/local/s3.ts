// S3, as far as the service uses it: a folder of files, each under the hash of its name.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import type { Stub } from "./aws-json.ts";
import { replace } from "./files.ts";
import { listen } from "./listen.ts";

const fileBytesMax = 16 * 1_024 * 1_024;

export async function startS3(dir: string): Promise<Stub> {
  const folder = join(dir, "files");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const path = join(folder, createHash("sha256").update(pathname).digest("hex"));
    answer(request, response, path).catch((thrown) => fail(response, 500, "InternalError", String(thrown)));
  });
  const { url, close } = await listen(server, 0);
  return { endpoint: url, close };
}

async function answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
  if (request.method === "PUT") {
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of request) {
      bytes += part.length;
      if (bytes > fileBytesMax) return fail(response, 400, "EntityTooLarge", "The file is too large.");
      parts.push(part);
    }
    replace(path, Buffer.concat(parts));
    response.writeHead(200, { etag: '"local"' }).end();
  } else if (request.method === "GET") {
    const content = contentOf(path);
    if (content) response.writeHead(200, { "content-length": content.length, etag: '"local"' }).end(content);
    else fail(response, 404, "NoSuchKey", "The specified key does not exist.");
  } else fail(response, 405, "MethodNotAllowed", "The method is not served locally.");
}

function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (thrown) {
    if ((thrown as { code?: string }).code === "ENOENT") return undefined;
    throw thrown;
  }
}

function fail(response: ServerResponse, status: number, code: string, message: string): void {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  response.writeHead(status, { "content-type": "application/xml" }).end(body);
}
