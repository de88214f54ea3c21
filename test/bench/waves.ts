// get-permissions for 1 user × 1,000 documents in 50 folders: the number of calls to DynamoDB, and in how many waves.
// A wave is the calls that are made concurrently.
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { pathToFileURL } from "node:url";
import { listen } from "../../infra/local/listen.ts";
import { outDir } from "../support/bundles.ts";
import { callAs } from "./calls.ts";
import { type Credentials, contextOf, eventOf } from "./event.ts";

const organizationId = "large";
const [folderCount, documentCount, perFolder] = [50, 1_000, 20];
/** After this time without a further request, a wave is complete: the caller waits for replies. */
const quietMs = 150;

export async function largePermissions(as: Credentials) {
  const documentIds = await populate(as);
  const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB ?? "";
  const barrier = await startBarrier(new URL(endpoint));
  process.env.AWS_ENDPOINT_URL_DYNAMODB = barrier.url;
  try {
    // A new instance of the module, which has no client for the engine yet.
    const { handler } = await import(`${pathToFileURL(`${outDir}/permissions-get/index.mjs`)}?waves`);
    const target = { path: "/v2/auth/permissions/get", method: "POST" } as const;
    const event = eventOf(target, as, { organizationId, userIds: ["u"], documentIds });
    const { statusCode, body } = await handler(event, contextOf());
    if (statusCode !== 200) throw new Error(`get-permissions returned ${statusCode}: ${body.slice(0, 500)}`);
    return barrier.count();
  } finally {
    process.env.AWS_ENDPOINT_URL_DYNAMODB = endpoint;
    await barrier.close();
  }
}

async function populate(as: Credentials): Promise<string[]> {
  const must = async (name: string, data: object) => {
    const { statusCode, body } = await callAs(as, name, { organizationId, ...data });
    if (statusCode !== 200) throw new Error(`${name} returned ${statusCode}: ${body}`);
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

/** Starts a proxy that holds all requests until a wave is complete, then forwards them. */
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
  const onward = request({ hostname, port, method, path, headers }, (reply) => {
    outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(outgoing);
  });
  onward.on("error", (cause) => outgoing.destroy(cause));
  incoming.pipe(onward);
}
