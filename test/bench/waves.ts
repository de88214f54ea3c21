// get-permissions on 1 user × 1,000 documents in 50 folders: the number of calls to DynamoDB, and of rounds in a row.
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { pathToFileURL } from "node:url";
import { listen } from "../../infra/local/listen.ts";
import { outDir } from "../support/bundles.ts";
import { callAs } from "./calls.ts";
import { type Credentials, contextOf, eventOf } from "./event.ts";

const organizationId = "large";
const [folderCount, documentCount, perFolder] = [50, 1_000, 20];
/** After this time without a request, the caller is assumed to wait for replies. */
const quietMs = 150;

export async function largePermissions(as: Credentials) {
  const documentIds = await populate(as);
  const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB ?? "";
  const barrier = await startBarrier(new URL(endpoint));
  process.env.AWS_ENDPOINT_URL_DYNAMODB = barrier.url;
  try {
    // A fresh module, which has no client yet.
    const { handler } = await import(`${pathToFileURL(`${outDir}/permissions-get/index.mjs`)}?waves`);
    const target = { path: "/v2/auth/permissions/get", method: "POST" } as const;
    const event = eventOf(target, as, { organizationId, userIds: ["u"], documentIds });
    const { statusCode, body } = await handler(event, contextOf());
    if (statusCode !== 200) throw new Error(`get-permissions answered ${statusCode}: ${body.slice(0, 500)}`);
    return barrier.count();
  } finally {
    process.env.AWS_ENDPOINT_URL_DYNAMODB = endpoint;
    await barrier.close();
  }
}

async function populate(as: Credentials): Promise<string[]> {
  const must = async (name: string, data: object) => {
    const { statusCode, body } = await callAs(as, name, { organizationId, ...data });
    if (statusCode !== 200) throw new Error(`${name} answered ${statusCode}: ${body}`);
  };
  const folders = Array.from({ length: folderCount }, (_, index) => `f${index}`);
  const documents = Array.from({ length: documentCount }, (_, index) => `d${index}`);
  await must("organizations-add", { organizations: [{ organizationId }] });
  await must("folders-add", { folders: folders.map((folderId) => ({ folderId })) });
  for (const [index, folderId] of folders.entries()) {
    const own = documents.slice(index * perFolder, (index + 1) * perFolder);
    await must("documents-add", { folderId, documents: own.map((documentId) => ({ documentId })) });
  }
  await must("users-add", { users: [{ userId: "u", name: "Ada", email: "a@example.com", accessRole: "viewer" }] });
  return documents;
}

/** A proxy that holds all requests until no further one comes. Each release is one wave. */
async function startBarrier(engine: URL) {
  let held: (() => void)[] = [];
  const count = { calls: 0, waves: 0 };
  let timer: NodeJS.Timeout | undefined;
  const release = () => {
    count.waves += 1;
    const all = held;
    held = [];
    for (const send of all) send();
  };
  const server = createServer((incoming, outgoing) => {
    count.calls += 1;
    held.push(() => forward(engine, incoming, outgoing));
    clearTimeout(timer);
    timer = setTimeout(release, quietMs);
  });
  const { url, close } = await listen(server, 0);
  return { url, close, count: () => count };
}

function forward({ hostname, port }: URL, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url: path, headers } = incoming;
  const onward = request({ hostname, port, method, path, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  onward.on("error", (cause) => outgoing.destroy(cause));
  incoming.pipe(onward);
}
