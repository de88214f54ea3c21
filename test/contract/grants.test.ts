// Each endpoint uses exactly its grants: none is missing, and none is unused. KMS refuses what the deployed role of the
// endpoint does not allow.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { deployables, endpoints, sourceOf } from "../../infra/deployables.ts";
import { aiKeyGrants, grantActions, jobKinds } from "../../lib/grants.ts";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import { type EventType, eventTypes } from "../../lib/schema/events.ts";
import { type AwsCommand, atAwsEdge } from "../support/aws/edge.ts";
import { contextOf, eventOf } from "../support/call.ts";
import {
  differsWithoutEvents,
  pathParametersFor,
  requestsFor,
  workspaceFor,
} from "../support/contract/grant-requests.ts";
import { synth } from "../support/synth.ts";

let used: Set<string>;
/** The actions that the role of the running endpoint allows. Undefined: no endpoint runs. */
let allowed: Set<string> | undefined;

beforeEach(() => {
  used = new Set();
  allowed = undefined;
  vi.useFakeTimers({ toFake: ["Date"] });
  atAwsEdge((command, call) => {
    const actions = actionsOf(command);
    for (const action of actions) used.add(action);
    const isRefused = actions.some((action) => action.startsWith("kms:") && allowed?.has(action) === false);
    if (isRefused) throw Object.assign(new Error("AccessDenied"), { name: "AccessDeniedException" });
    return call();
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The IAM actions that a command needs. */
function actionsOf(command: AwsCommand): string[] {
  const operation = command.constructor.name.replace(/Command$/, "");
  if (operation === "TransactWrite") {
    const verbs = (command.input.TransactItems as object[]).flatMap((item) => Object.keys(item));
    return verbs.map((verb) => `dynamodb:${verb}Item`);
  }
  if (operation === "SendMessageBatch") return [`queue:${String(command.input.QueueUrl).split("/").at(-1)}`];
  if (["GenerateDataKey", "Decrypt"].includes(operation)) {
    const { purpose } = command.input.EncryptionContext as { purpose: string };
    return [`kms:${operation} ${purpose}`];
  }
  const irregular: Record<string, string> = { BatchGet: "BatchGetItem", Query: "Query", BatchWrite: "BatchWriteItem" };
  return [`dynamodb:${irregular[operation] ?? `${operation}Item`}`];
}

function actionsBehind(grant: string): readonly string[] {
  const [what, which, purpose] = grant.split(":");
  const actions = grantActions[`${what}:${which}` as keyof typeof grantActions] ?? [grant];
  return purpose === undefined ? actions : actions.map((action) => `${action} ${purpose}`);
}

const stack = synth(deployables);

/** The actions that the endpoint's role allows in the synthesized stack. */
function actionsAllowed(endpoint: Endpoint): string[] {
  return stack.allowed(endpoint).flatMap(({ Action, Resource, Condition }) => {
    if (/^kms:/.test(String(Action)))
      return [`${Action} ${Condition?.StringEquals?.["kms:EncryptionContext:purpose"]}`];
    if (Action !== "sqs:SendMessage") return [Action].flat();
    const id = (Resource as { "Fn::GetAtt": [string] })["Fn::GetAtt"][0];
    return jobKinds.filter((kind) => id.startsWith(`${kind}queue`)).map((kind) => `queue:${kind}`);
  });
}

/** The requests use the key of one vendor. */
const otherAiKeys = aiKeyGrants("unseal").filter((grant) => !grant.endsWith("openai"));

/** Grants that are used only after the reply of a vendor's model. The tests of these functions fake the vendor. */
const needsVendor: Record<string, string[]> = {
  "memory-ask": aiKeyGrants("unseal"),
  "ask-ai": otherAiKeys,
  "agents-extract": ["file:write", "queue:ingest"],
  // The furnished workspace has no key of a provider, and the deployment no sender.
  "emailconfig-test": ["mail:send", "key:unseal:email-api-key", "key:seal:address-hash", "key:unseal:address-hash"],
  // The data key is the deployment's, and this process has opened it before.
  "messages-suppressions-get": ["key:unseal:address-hash"],
};

async function run(endpoint: Endpoint, wantedEvents: readonly EventType[]): Promise<void> {
  const usedBefore = [...used];
  allowed = undefined;
  const as = await workspaceFor(endpoint, wantedEvents);
  const { handler } = await import(/* @vite-ignore */ `../../${sourceOf(endpoint)}`);
  allowed = new Set(actionsAllowed(endpoint));
  const pathParameters = await pathParametersFor(endpoint, as);
  used = new Set(usedBefore);
  const requests = requestsFor(endpoint).map((data, index) => ({
    data,
    headers: { "idempotency-key": `key-${index}` },
  }));
  // Repeats the first request, so that the endpoint reads its stored reply.
  if (endpoint.isWrite) requests.push(...requests.slice(0, 1));
  for (const [index, { data, headers }] of requests.entries()) {
    // By then, the container has forgotten the data key of that reply.
    if (endpoint.isWrite && index === requests.length - 1) vi.setSystemTime(Date.now() + 5 * 60_000);
    const event = eventOf(endpoint, { as, data, headers, pathParameters });
    expect(await handler(event, contextOf(endpoint.name))).toHaveProperty("statusCode", 200);
  }
}

it.each(endpoints.filter(({ group }) => group !== "fallback").map((each) => [each.name, each] as const))(
  "%s uses exactly its grants, and its role allows them",
  async (_, endpoint) => {
    await run(endpoint, eventTypes);
    if (differsWithoutEvents.includes(endpoint.name)) await run(endpoint, []);
    const missing = [...used].filter((action) => !allowed?.has(action));
    expect(missing, "add the grants of these actions in lib/grants.ts to `grants` of the declaration").toEqual([]);
    // The tenth call of a workspace uses `table:calls`, see call-limit.test.ts.
    const own = endpoint.grants.filter((grant) => grant !== "table:calls");
    const unused = own.filter((grant) => !actionsBehind(grant).some((action) => used.has(action)));
    const hint = "remove these grants, or add a request that uses them to `more` in this file";
    expect(unused, hint).toEqual(needsVendor[endpoint.name] ?? []);
  },
);
