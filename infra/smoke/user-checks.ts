// Whether users call with their tokens, and no further than they may.
import { randomUUID } from "node:crypto";
import { inParallel } from "../../lib/concurrency.ts";
import { endpoints } from "../deployables.ts";
import { type Check, call, pathOf, smokeId } from "./call.ts";
import { type Reply, request, statusOf, type Target } from "./request.ts";

export const userChecks: readonly Check[] = [
  { name: "a browser's preflight is answered where users call, and nowhere else", run: answersPreflights },
  { name: "a user's token writes and reads a document, and opens nothing of servers", run: opensDocument },
  { name: "a page of an allowed domain calls, and another page reads why it may not", run: keepsToDomains },
  { name: "a revoked user's token is refused", run: refusesRevoked },
];

const callsInFlight = 4;
const organizationId = smokeId;
const isDenied = ({ body }: Reply) => body?.error?.status === "PERMISSION_DENIED";

async function answersPreflights(target: Target): Promise<void> {
  const headers = { origin: "https://smoke-test.invalid", "access-control-request-method": "POST" };
  const wrong: string[] = [];
  const posts = endpoints.filter(({ method }) => method === "POST");
  await inParallel(posts, callsInFlight, async ({ path, users }) => {
    const reply = await request(target, { path, method: "OPTIONS", headers });
    const allowed = reply.headers.get("access-control-allow-headers");
    const isRight = users ? reply.status === 204 && allowed?.includes("authorization") : !allowed;
    if (!isRight) wrong.push(`${path}: ${statusOf(reply)}`);
  });
  if (wrong.length > 0) throw new Error(wrong.sort().join("\n  "));
}

async function opensDocument(target: Target): Promise<void> {
  await withUser(target, async (headers, documentId) => {
    const place = { organizationId, documentId };
    const comments = [{ annotationId: "a", comments: [{ commentId: "c", text: "Smoke test" }] }];
    const added = await asUser(target, headers, "documents-data-add", { ...place, location: { id: "1" }, comments });
    if (added.status !== 200) throw new Error(statusOf(added));
    const read = await asUser(target, headers, "documents-data-get", { ...place, kind: "comments" });
    const author = read.body?.result?.data?.items?.[0]?.from?.userId;
    if (author !== smokeId) throw new Error(`The comment that was added is not read: ${statusOf(read)}`);
    for (const [name, data] of [
      ["documents-get", { organizationId }],
      ["documents-data-get", { organizationId, documentId: "no-such-document", kind: "comments" }],
    ] as const) {
      const reply = await asUser(target, headers, name, data);
      if (!isDenied(reply)) throw new Error(`${pathOf(name)}: ${statusOf(reply)}`);
    }
  });
}

async function keepsToDomains(target: Target): Promise<void> {
  const domain = `${randomUUID()}.smoke-test.invalid`;
  await call(target, "domains-add", { domains: [domain] });
  try {
    await withUser(target, async (headers, documentId) => {
      const from = (origin: string) =>
        asUser(target, { ...headers, origin }, "presence-get", { organizationId, documentId });
      const own = await from(`https://${domain}`);
      if (own.status !== 200 || !isReadable(own, `https://${domain}`)) throw new Error(statusOf(own));
      const foreign = await from("https://foreign.invalid");
      const saysHow = foreign.body?.error?.message?.includes("domains/add");
      if (!isDenied(foreign) || !saysHow || !isReadable(foreign, "https://foreign.invalid")) {
        throw new Error(`A page of another domain: ${statusOf(foreign)}`);
      }
    });
  } finally {
    await call(target, "domains-delete", { domains: [domain] });
  }
}

const isReadable = ({ headers }: Reply, origin: string) => headers.get("access-control-allow-origin") === origin;

/** No container knows the token. One that knows it accepts it for up to 30 seconds. */
async function refusesRevoked(target: Target): Promise<void> {
  // A user of its own: the tokens of another run must stay.
  const userId = `${smokeId}-revoked`;
  const headers = await tokenOf(target, userId, []);
  await call(target, "tokens-revoke", { userId });
  const reply = await asUser(target, headers, "permissions-get", { organizationId });
  if (reply.status !== 401) throw new Error(statusOf(reply));
}

/** Gives the user of the test a document and a token, as headers. The document is deleted afterwards. */
export async function withUser(
  target: Target,
  work: (headers: Record<string, string>, documentId: string) => Promise<void>,
): Promise<void> {
  const documentId = `${smokeId}-${randomUUID()}`;
  await call(target, "organizations-add", { organizations: [{ organizationId }] });
  await call(target, "documents-add", { organizationId, documents: [{ documentId }] });
  try {
    await work(await tokenOf(target, smokeId, [{ type: "document", organizationId, id: documentId }]), documentId);
  } finally {
    await call(target, "documents-delete", { organizationId, documentIds: [documentId] });
  }
}

async function tokenOf(target: Target, userId: string, resources: object[]): Promise<Record<string, string>> {
  const userProperties = { name: "Smoke test", email: "smoke-test@example.com" };
  const data = { userId, userProperties, permissions: { resources }, expiresInSeconds: 300 };
  const { token } = await call(target, "token-generate", data);
  return { authorization: `Bearer ${token}` };
}

export const asUser = (target: Target, headers: Record<string, string>, name: string, data: object) =>
  request(target, { path: pathOf(name), data, headers });
