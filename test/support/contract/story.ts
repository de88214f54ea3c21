// Sends the example requests of the OpenAPI document in its order to a new workspace, as a reader would.
import { expect, vi } from "vitest";
import { activity } from "../../../functions/workers/activity.ts";
import { fanout } from "../../../functions/workers/fanout.ts";
import { merge } from "../../../functions/workers/merge.ts";
import { migrate } from "../../../functions/workers/migrate.ts";
import { notify } from "../../../functions/workers/notify.ts";
import { purge } from "../../../functions/workers/purge.ts";
import { endpoints } from "../../../infra/deployables.ts";
import { requestExample } from "../../../infra/openapi/operation.ts";
import { inReadingOrder } from "../../../infra/openapi/reading-order.ts";
import type { Endpoint } from "../../../lib/http/endpoint.ts";
import { unsubscribeLinks } from "../../../lib/messages/unsubscribe.ts";
import { hashOf } from "../../../lib/store/access/auth-token.ts";
import * as Document from "../../../lib/store/content/document.ts";
import { type Credentials, call } from "../call.ts";
import { extract } from "../extraction.ts";
import { later } from "../fake-dates.ts";
import { deliver } from "../run-worker.ts";
import { openJobs } from "../scan.ts";

/** Fields with values that are random or secret, with what the examples show. Those of the content fit each other. */
const shown: Record<string, unknown> = {
  checkpoint: "eyJhbGciOiJFUzI1NiJ9.eyJzZXF1ZW5jZSI6MX0.c2lnbmF0dXJl",
  generation: "generation-1",
  receipt: "eyJhbGciOiJFUzI1NiJ9.eyJqb2JJZCI6ImpvYi0xIn0.c2lnbmF0dXJl",
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  token: "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJl",
  ticket: "v1.WyJ3c18wMTIzIiwiYWxpY2UiXQ.c2lnbmF0dXJl",
  host: "abc.appsync-api.eu-central-1.amazonaws.com",
  kid: "key-1",
  x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
  y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
  update:
    "AQvahuGMCAAHAQdkZWZhdWx0AwdoZWFkaW5nKADahuGMCAAFbGV2ZWwBfQKH2obhjAgAAwlwYXJhZ3JhcGgHANqG4YwIAAYEANqG4YwIAwRQbGFu" +
    "BwDahuGMCAIGBADahuGMCAgHSGVsbG8sIIbahuGMCA8EYm9sZAJ7fYTahuGMCBAFd29ybGSG2obhjAgVBGJvbGQEbnVsbITahuGMCBYBIQA=",
  stateVector: "AdqG4YwIGA==",
  sizeBytes: 164,
  // The server of --demo-ai has another port at each start.
  baseUrl: "",
};
/** What is shown of an auth token when it is created, and in lists. */
const shownTokens = ["AUTH_TOKEN", "AUTH…"];

const listed = inReadingOrder(endpoints).flatMap(({ groups }) => groups.flatMap((group) => group.endpoints));

/** The replies by endpoint, with the ids of the examples. Each call must succeed, and so must each of its items. */
export async function tellStory(as: Credentials): Promise<Record<string, unknown>> {
  const stableOf = new Map<string, string>([
    [as.apiKey, "{apiKey}"],
    [as.authToken, "{authToken}"],
    [hashOf(as.authToken).slice(0, 12), "fedcba987654"],
  ]);
  /** The data of all requests. An id that none has is made by the service. */
  let given = "";
  const numbers = new Map<string, number>();
  const replies: Record<string, unknown> = {};
  for (const endpoint of listed) {
    const data = replaced(requestExample(endpoint), new Map([...stableOf].map(([live, stable]) => [stable, live])));
    const { body, status } = await send(endpoint, data as Record<string, string>, as);
    expect([endpoint.name, status, body?.error ?? failedIn(body)]).toEqual([endpoint.name, 200, undefined]);
    given += JSON.stringify(data);
    for (const { value, noun } of idsOf(endpoint, body)) {
      if (given.includes(`"${value}"`) || stableOf.has(value)) continue;
      const number = (numbers.get(noun) ?? 0) + 1;
      numbers.set(noun, number);
      stableOf.set(value, noun === "authtoken" ? "0123456789ab" : `${noun}-${number}`);
    }
    if (endpoint.envelope !== "page") replies[endpoint.name] = withShown(replaced(inOrder(endpoint, body), stableOf));
    await runJobs();
  }
  return replies;
}

async function send(endpoint: Endpoint, data: Record<string, string>, as: Credentials) {
  if (endpoint.name === "agents-extract") return extract(as, data);
  if (endpoint.envelope === "page") return call(endpoint, { pathParameters: { token: await linkToken(as) } });
  if (endpoint.method === "GET") return call(endpoint, { pathParameters: { ...data, apiKey: as.apiKey } });
  return call(endpoint, { as, data });
}

/** The token of the link in an e-mail to Bob about the plan. */
async function linkToken({ apiKey: workspace }: Credentials): Promise<string> {
  vi.stubEnv("PUBLIC_URL", "https://api.example.com");
  const ref = { workspace, organizationId: "acme", documentId: "plan" };
  const { documentUid } = (await Document.get(ref)) as Document.Document;
  const links = await unsubscribeLinks({ workspace }, { ...ref, documentUid, userId: "bob", generation: 0 });
  return links?.document.replace(/^.*\//, "") ?? "";
}

/** Runs the jobs of all kinds that stay within the service. */
async function runJobs(): Promise<void> {
  for (let round = 0; round < 20; round++) {
    const open = (await openJobs()).filter(({ state }) => state !== "failed");
    const runs = [purge, migrate, notify, merge, fanout, activity].map((worker) => ({
      worker,
      ids: open.filter(({ kind }) => kind === worker.jobs).map(({ id }) => id),
    }));
    if (runs.every(({ ids }) => ids.length === 0)) return;
    later(61);
    for (const { worker, ids } of runs) if (ids.length > 0) await deliver(worker, ids);
  }
  expect.fail("The jobs do not end.");
}

/** The first item that failed. */
function failedIn(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if ((value as { success?: boolean }).success === false) return value;
  return Object.values(value).map(failedIn).find(Boolean);
}

/** The ids of a reply. The noun of `agentId` is `agent`, and that of `id` the last one of the endpoint's name. */
function idsOf({ name }: Endpoint, body: unknown): { value: string; noun: string }[] {
  const ids: { value: string; noun: string }[] = [];
  const own = name.split("-").at(-2)?.replace(/s$/, "") ?? name;
  JSON.stringify(body, (key, value) => {
    const noun = key === "id" ? own : /^(\w+)Id$/.exec(key)?.[1];
    if (noun && typeof value === "string" && value) ids.push({ value, noun });
    return value;
  });
  return ids;
}

/** The reply with its fields in the order of the schema: engines return those of a map in any order. */
function inOrder({ envelope, reply }: Endpoint, body: { result: { data?: unknown } }): unknown {
  if (envelope === "bare") return body;
  if (envelope === "raw") return reply.parse(body);
  return { result: { ...body.result, data: reply.parse(body.result.data) } };
}

/** An address of S3 for an upload. Its signature differs each time. */
const presigned = /"https?:[^"?]*\?X-Amz-[^"]*"/g;
const shownAddress = '"https://files.s3.us-east-1.amazonaws.com/upload-1?X-Amz-Signature=0123456789abcdef"';

/** The value with other texts, wherever they are. */
function replaced(value: unknown, texts: ReadonlyMap<string, string>): unknown {
  const json = JSON.stringify(value ?? null).replace(presigned, shownAddress);
  return JSON.parse([...texts].reduce((result, [from, to]) => (from ? result.replaceAll(from, to) : result), json));
}

/** Shown in place of random and secret values. */
function withShown(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), function (this: { scopes?: unknown }, key, each) {
    // Tokens are listed by their ids, which are random.
    if (key === "authTokens")
      return each.sort((one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1));
    if (key === "now" || key === "next") return each.replace(/[^/]+$/, `${key}${"a".repeat(32 - key.length)}`);
    if (key === "authToken" && this.scopes) return shownTokens[each.endsWith("…") ? 1 : 0];
    return each === "" || each === null || typeof each === "object" ? each : (shown[key] ?? each);
  });
}
