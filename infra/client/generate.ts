// The files of the client that are generated from the OpenAPI document.
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { httpStatus } from "../../lib/errors.ts";
import { type Endpoint, errorsOf } from "../../lib/http/endpoint.ts";
import { catchAllPath, takesKeysInData } from "../deployables.ts";
import type { OpenApi } from "../openapi/document.ts";
import type { JsonSchema } from "../openapi/json-schema.ts";
import { requestExample } from "../openapi/operation.ts";
import { functionNameOf } from "./function-name.ts";
import { usualPathOf } from "./source/calls.ts";
import { forUsers } from "./user-document.ts";

/** The text of each generated file, by its name. */
export async function generatedFiles(
  document: OpenApi,
  endpoints: readonly Endpoint[],
): Promise<Record<string, string>> {
  const called = endpoints.filter(
    ({ path, method, credentials }) => path !== catchAllPath && method === "POST" && credentials !== "none",
  );
  const ofUsers = forUsers(document);
  const byUsers = called.filter(({ path }) => ofUsers.paths[path]);
  return {
    "schema.ts": await typesOf(document),
    "operations.ts": tableOf(called),
    "index.ts": indexOf(document, called),
    "browser-schema.ts": await typesOf(ofUsers),
    "browser-operations.ts": tableOf(byUsers),
    "browser.ts": browserOf(ofUsers, byUsers),
    "webhooks.ts": webhooksText,
  };
}

async function typesOf(document: OpenApi): Promise<string> {
  const covering = JSON.parse(JSON.stringify(document), (_, value) => withCoveringIndex(value)) as OpenAPI3;
  return astToString(await openapiTS(covering));
}

/** Further values become an index signature. In TypeScript, that has to fit the named properties too. */
function withCoveringIndex(value: JsonSchema | null): JsonSchema | null {
  const { properties, additionalProperties: further } = value ?? {};
  if (!properties || typeof further !== "object") return value;
  const named = Object.values(properties).flatMap((each) => each.anyOf ?? [each]);
  return { ...value, additionalProperties: { anyOf: [further, ...named] } };
}

/** `makeClient` says what a row has. */
function tableOf(endpoints: readonly Endpoint[]): string {
  const table = endpoints.map(rowOf).join(";");
  return `export const operations = ${JSON.stringify(table)};\n`;
}

function rowOf(endpoint: Endpoint): string {
  const { name, path, isWrite, envelope } = endpoint;
  const reply = { standard: "", raw: "b", bare: "n", page: "" }[envelope];
  const marks = `${isWrite ? "w" : ""}${takesKeysInData(endpoint) ? "k" : ""}${reply}`;
  const functionName = functionNameOf(name);
  const shortPath = path.replace(/^\/(?:v2\/)?/, "");
  const usualPath = usualPathOf(functionName);
  const ownPath = `/${shortPath}`.endsWith(`/${usualPath}`) ? shortPath.slice(0, -usualPath.length) : shortPath;
  return [functionName, ownPath, marks, listOf(endpoint) ?? ""].join(" ").trimEnd();
}

/** The field with the entries of a list; undefined: the endpoint returns no pages. */
function listOf({ reply }: Endpoint): string | undefined {
  const { shape = {} } = reply as { shape?: Record<string, { def?: { type?: string } }> };
  if (!("nextPageToken" in shape)) return undefined;
  return Object.keys(shape).find((name) => shape[name]?.def?.type === "array");
}

function indexOf(document: OpenApi, endpoints: readonly Endpoint[]): string {
  return `${sharedText("", endpoints, Object.keys(httpStatus))}
import { type HttpCalls, makeClient } from "./client.ts";
import type { ClientOptions } from "./options.ts";

export type { CallOptions, ClientOptions } from "./options.ts";
export type { components, paths, webhooks } from "./schema.ts";

export interface Client extends HttpCalls<paths> {
${endpoints.map((each) => memberOf(document, each, exampleOf(each))).join("\n")}
}

/** Makes a client. Its keys are secrets, so it runs on servers, with Node 20 or later. */
export function createClient(options: ClientOptions): Client {
  return makeClient(operations, options) as Client;
}
`;
}

const liveTypes = `type Added = RequestData<"/v2/organizations/documents/data/add">;

/** A live document. */
export type LiveDocument = AnyDocument<{
  thread: components["schemas"]["PlacedCommentAnnotation"];
  reaction: components["schemas"]["PlacedReaction"];
  user: ReplyData<"/v2/presence/get">["users"][number];
  location: Added["location"];
  newThread: NonNullable<Added["comments"]>[number];
  newComment: RequestData<"/v2/commentannotations/comments/add">["comments"][number];
  newReaction: NonNullable<Added["reactions"]>[number];
  threadUpdate: RequestData<"/v2/commentannotations/update">["update"];
  commentUpdate: Omit<
    RequestData<"/v2/commentannotations/comments/update">,
    "organizationId" | "documentId" | "annotationId" | "commentId" | "actionUser"
  >;
}>;

/** A live inbox. */
export type LiveInbox = AnyInbox<ReplyData<"/v2/notifications/get">>;
`;

function browserOf(document: OpenApi, endpoints: readonly Endpoint[]): string {
  return `${sharedText("browser-", endpoints, [...new Set([...Object.keys(httpStatus), "UNAUTHENTICATED"])])}
import { makeBrowserClient } from "./browser-client.ts";
import type { LiveDocument as AnyDocument, LiveInbox as AnyInbox } from "./live/types.ts";
import type { BrowserClientOptions } from "./options.ts";

export type { components, paths } from "./browser-schema.ts";
export type { Peer } from "./live/awareness.ts";
export type { LiveState } from "./live/session.ts";
export type { BrowserClientOptions, CallOptions } from "./options.ts";

${liveTypes}
/** The endpoints that a user's token opens, and what is live. */
export interface BrowserClient {
  /** A document as it is now, the same for all who ask for it. It is open while somebody subscribes. */
  document(place: { organizationId: string; documentId: string }): LiveDocument;
  /** The user's notifications in an organization as they are now. */
  inbox(place: { organizationId: string }): LiveInbox;
${endpoints.map((each) => memberOf(document, each)).join("\n")}
}

/** Makes a client of one user, for pages, workers and Node. Call no function of it before the user is signed in. */
export function createBrowserClient(options: BrowserClientOptions): BrowserClient {
  return makeBrowserClient(operations, options) as BrowserClient;
}
`;
}

/** What both entries have. `prefix` is that of their generated files. */
function sharedText(prefix: string, endpoints: readonly Endpoint[], statuses: readonly string[]): string {
  const quoted = statuses.map((status) => JSON.stringify(status));
  const whole = endpoints.filter(({ envelope }) => envelope === "raw").map(({ path }) => JSON.stringify(path));
  return `import { type ApiError as AnyApiError, ApiError as Failed } from "./api-error.ts";
import { type Call, isApiError as isFailed, type ListCall, type ListCallBy } from "./calls.ts";
import { operations } from "./${prefix}operations.ts";
import type { components, paths } from "./${prefix}schema.ts";
import type { DataOf, ReplyOf } from "./types.ts";

export type { Issue } from "./api-error.ts";
export { failedItems } from "./calls.ts";

/** Every status of a failure. */
export type ErrorStatus = ${quoted.join(" | ")};

/** A call that failed. */
export type ApiError<Status extends ErrorStatus = ErrorStatus> = AnyApiError<Status>;
/** Of an instance, \`status\` is one of \`ErrorStatus\`. */
export const ApiError: new (...values: ConstructorParameters<typeof Failed<ErrorStatus>>) => ApiError = Failed;

/** Whether a call failed, with one of these statuses if any are given. */
export const isApiError: <Status extends ErrorStatus = ErrorStatus>(
  thrown: unknown,
  ...statuses: Status[]
) => thrown is ApiError<Status> = isFailed as never;

/** The \`data\` of a request, by the path of its endpoint. */
export type RequestData<Path extends keyof paths> = DataOf<paths, Path>;

/** What a call resolves to, by the path of its endpoint. */
export type ReplyData<Path extends keyof paths> = ReplyOf<paths, Path, ${whole.join(" | ") || "never"}>;`;
}

function memberOf(document: OpenApi, endpoint: Endpoint, example: string[] = []): string {
  const { path, envelope } = endpoint;
  const quoted = JSON.stringify(path);
  const data = takesKeysInData(endpoint)
    ? `Omit<RequestData<${quoted}>, "apiKey" | "authToken">`
    : `RequestData<${quoted}>`;
  const reply = envelope === "bare" ? "void" : `ReplyData<${quoted}>`;
  const list = listOf(endpoint);
  const type =
    list === undefined
      ? `Call<${data}, ${reply}>`
      : (listTypeBy(endpoint, data, reply, list) ?? `ListCall<${data}, ${reply}, ${reply}["${list}"][number]>`);
  return `${docOf(document, endpoint, example)}\n  ${functionNameOf(endpoint.name)}: ${type};`;
}

/** Lists whose entries have the type that a field of the request names: that field, and the schema of each value. */
const entriesBy: Record<string, { field: string; schemas: Record<string, string> }> = {
  "documents-data-get": {
    field: "kind",
    schemas: { comments: "PlacedCommentAnnotation", reactions: "PlacedReaction", recordings: "PlacedRecording" },
  },
};

/** The type of a list; undefined: the request does not decide on the type of its entries. */
function listTypeBy({ name }: Endpoint, data: string, reply: string, list: string): string | undefined {
  const by = entriesBy[name];
  if (!by) return undefined;
  const schemas = Object.entries(by.schemas).map(([value, schema]) => `${value}: components["schemas"]["${schema}"]`);
  return `ListCallBy<${data}, ${reply}, "${by.field}", "${list}", { ${schemas.join("; ")} }>`;
}

/** What an editor shows for the function of an endpoint. */
function docOf({ paths }: OpenApi, endpoint: Endpoint, example: readonly string[]): string {
  const operation = paths[endpoint.path]?.post as { summary?: string; description?: string } | undefined;
  const { summary = "", description = "" } = operation ?? {};
  const text = [
    `**${summary.replace(/\.$/, "")}**`,
    "",
    ...(description === summary ? [] : [...description.split("\n"), ""]),
    `\`POST ${endpoint.path}\`. Fails with ${errorsOf(endpoint).join(", ")}.`,
    ...example,
  ];
  return `  /**\n${text.map((line) => `   * ${line.replaceAll("*/", "*\\/")}`.trimEnd()).join("\n")}\n   */`;
}

/** The example of the endpoint as a call of its function, without the keys. Not for pages: they send other fields. */
function exampleOf(endpoint: Endpoint): string[] {
  const { apiKey: _key, authToken: _token, ...data } = Object(requestExample(endpoint));
  const literal = JSON.stringify(data, null, 2).replaceAll(/^( *)"([a-z]\w*)":/gim, "$1$2:");
  return ["", "@example", ...`await client.${functionNameOf(endpoint.name)}(${literal});`.split("\n")];
}

const webhooksText = `import type { webhooks } from "./schema.ts";
import { type ReceivedHeaders, verifyAs } from "./verify.ts";

export { type ReceivedHeaders, WebhookVerificationError } from "./verify.ts";

type Bodies = {
  [Name in keyof webhooks]: webhooks[Name] extends {
    post: { requestBody: { content: { "application/json": infer Body } } };
  }
    ? Body
    : never;
};

/** What a webhook endpoint receives. \`event\` says which one it is. */
export type WebhookEvent = Bodies[keyof Bodies];

/**
 * Returns the verified event. \`secret\`: the endpoint's, with \`whsec_\`. \`body\`: exactly as it was received, not parsed.
 * Throws a \`WebhookVerificationError\` for a wrong signature, for a message that was signed more than 5 minutes ago, and
 * for a body that is no event.
 */
export const verify: (secret: string, body: string | Uint8Array, headers: ReceivedHeaders) => WebhookEvent = verifyAs;
`;
