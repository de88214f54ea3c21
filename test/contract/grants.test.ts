// What each function is granted is what it does: nothing it does is missing, nothing it has is unused.
import { KMSClient } from "@aws-sdk/client-kms";
import { SQSClient } from "@aws-sdk/client-sqs";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { endpoints, sourceOf } from "../../infra/deployables.ts";
import type { Endpoint } from "../../lib/endpoint.ts";
import { grantActions } from "../../lib/grants.ts";
import { eventTypes } from "../../lib/schema/events.ts";
import * as Setting from "../../lib/store/setting.ts";
import { contextOf, eventOf, must } from "../support/call.ts";
import { dataOf, furnishedWorkspace, named } from "./requests.ts";

let used: Set<string>;

beforeEach(() => {
  used = new Set();
  for (const client of [DynamoDBDocumentClient, KMSClient, SQSClient]) {
    const prototype = client.prototype as { send(command: object): unknown };
    const send = prototype.send;
    vi.spyOn(prototype, "send").mockImplementation(function (this: unknown, ...args) {
      for (const action of actionsOf(args[0] as never)) used.add(action);
      return send.apply(this, args);
    });
  }
});

afterEach(() => void vi.restoreAllMocks());

/** The IAM actions that a command needs. */
function actionsOf(command: { constructor: { name: string }; input: Record<string, unknown> }): string[] {
  const operation = command.constructor.name.replace(/Command$/, "");
  if (operation === "TransactWrite") {
    const verbs = (command.input.TransactItems as object[]).flatMap((item) => Object.keys(item));
    return verbs.map((verb) => `dynamodb:${verb}Item`);
  }
  if (operation === "SendMessageBatch") return [`queue:${String(command.input.QueueUrl).split("/").at(-1)}`];
  if (["GenerateDataKey", "Decrypt"].includes(operation)) return [`kms:${operation}`];
  return [
    `dynamodb:${{ BatchGet: "BatchGetItem", Query: "Query", BatchWrite: "BatchWriteItem" }[operation] ?? `${operation}Item`}`,
  ];
}

const actionsBehind = (grant: string): readonly string[] =>
  grant in grantActions ? grantActions[grant as keyof typeof grantActions] : [grant];

/** Beside the usual request, those that make a function do the rest of what it can. */
const more: Record<string, Record<string, unknown>[]> = {
  "advancedwebhookconfig-update": [{ isEnabled: false }, { isEnabled: true }],
  "documents-delete": [{ organizationId: "acme", documentIds: ["plan"] }],
  "documents-get": [{ organizationId: "acme" }],
  "folders-get": [{ organizationId: "acme" }],
  "users-delete": [{ organizationId: "acme", userIds: ["alice"] }],
  "users-get": [{ organizationId: "acme" }],
  "webhook-endpoints-update": [
    { endpointId: "endpoint-1", disabled: true },
    { endpointId: "endpoint-1", disabled: false },
  ],
  "usergroup-users-delete": [{ organizationId: "acme", organizationUserGroupId: "reviewers", userIds: ["alice"] }],
};

async function run(endpoint: Endpoint): Promise<void> {
  const as = await furnishedWorkspace();
  await must(named("usergroup-users-add"), { as, data: dataOf(named("usergroup-users-add")) });
  await must(named("permissions-add"), { as, data: dataOf(named("permissions-add")) });
  await Setting.update(as.apiKey, "webhooks", { wantedEvents: [...eventTypes] });
  if (endpoint.name === "permissions-get") {
    const config = { permissionProviderUrl: "http://127.0.0.1:9/", authToken: "secret" };
    const data = { usePermissionProvider: true, permissionProviderConfig: config };
    await must(named("permissionproviderconfig-update"), { as, data });
  }
  const { handler } = await import(/* @vite-ignore */ `../../${sourceOf(endpoint)}`);
  used.clear();
  for (const data of [dataOf(endpoint), ...(more[endpoint.name] ?? [])]) {
    const event = eventOf(endpoint, { as, data, pathParameters: { apiKey: as.apiKey } });
    expect(await handler(event, contextOf(endpoint.name))).toHaveProperty("statusCode", 200);
  }
}

it.each(endpoints.filter(({ group }) => group !== "fallback").map((each) => [each.name, each] as const))(
  "%s does what it is granted to",
  async (_, endpoint) => {
    await run(endpoint);
    const granted = new Set(endpoint.grants.flatMap(actionsBehind));
    expect([...used].filter((action) => !granted.has(action))).toEqual([]);
    expect(endpoint.grants.filter((grant) => !actionsBehind(grant).some((action) => used.has(action)))).toEqual([]);
  },
);
