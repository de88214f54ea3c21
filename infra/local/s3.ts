// The operations of S3 that the service uses. Each object is a file, named by its escaped key.
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import type { LocalService } from "./aws-json.ts";
import { replace } from "./files.ts";
import { listen, privateHttpServer } from "./listen.ts";
import { refusalOf } from "./presigned.ts";
import { readBody } from "./read-body.ts";

const bodyBytesMax = 16 * 1_024 * 1_024;
const listedMax = 1_000;

export async function startS3(dir: string): Promise<LocalService> {
  const folder = join(dir, "files");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const server = privateHttpServer((request, response) =>
    respond(folder, request, response).catch((thrown) => fail(response, 500, "InternalError", String(thrown))),
  );
  const { url, close } = await listen(server, 0);
  return { endpoint: url, close };
}

async function respond(folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const [, bucket = "", ...rest] = pathname.split("/");
  const path = (key: string) => join(folder, encodeURIComponent(`${bucket}/${key}`));
  const key = rest.join("/");
  const body = await readBody(request, bodyBytesMax);
  if (!body) return fail(response, 400, "EntityTooLarge", "The file is too large.");
  const refusal = refusalOf(request);
  if (refusal) return fail(response, 403, ...refusal);
  if (request.method === "PUT" && key) {
    replace(path(key), body);
    response.writeHead(200, { etag: '"local"' }).end();
  } else if (request.method === "GET" && key) {
    const content = contentOf(path(key));
    if (content) response.writeHead(200, { "content-length": content.length, etag: '"local"' }).end(content);
    else fail(response, 404, "NoSuchKey", "The specified key does not exist.");
  } else if (request.method === "GET") {
    const keys = keysIn(folder, bucket).filter((each) => each.startsWith(searchParams.get("prefix") ?? ""));
    const contents = keys.slice(0, listedMax).map((each) => `<Contents><Key>${each}</Key></Contents>`);
    const isTruncated = `<IsTruncated>${keys.length > listedMax}</IsTruncated>`;
    xml(response, 200, `<ListBucketResult>${isTruncated}${contents.join("")}</ListBucketResult>`);
  } else if (request.method === "POST" && searchParams.has("delete")) {
    for (const [, each = ""] of body.toString().matchAll(/<Key>([^<]+)<\/Key>/g)) rmSync(path(each), { force: true });
    xml(response, 200, "<DeleteResult/>");
  } else fail(response, 405, "MethodNotAllowed", "The local server does not support this method.");
}

/** Returns sorted keys. Names with a dot are unfinished files after a crash: no key contains a dot. */
function keysIn(folder: string, bucket: string): string[] {
  const names = readdirSync(folder).filter((name) => !name.includes("."));
  const objects = names.map(decodeURIComponent).filter((name) => name.startsWith(`${bucket}/`));
  return objects.map((name) => name.slice(bucket.length + 1)).sort();
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
  xml(response, status, `<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
}

function xml(response: ServerResponse, status: number, content: string): void {
  response.writeHead(status, { "content-type": "application/xml" }).end(`<?xml version="1.0"?>${content}`);
}
