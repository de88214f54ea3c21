import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, it } from "vitest";
import { endpoints, named } from "../../../infra/deployables.ts";
import { openApi } from "../../../infra/openapi/document.ts";
import { type ErrorStatus, httpStatus } from "../../../lib/errors.ts";
import { errorsOf } from "../../../lib/http/endpoint.ts";
import { effectOnKey } from "../../../lib/http/idempotency.ts";
import { eventTypes } from "../../../lib/schema/events.ts";

const document = openApi(endpoints, { version: "1.2.3", api: "https://api.example" });

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
const components = document.components as any;
/** The value, or what it refers to. */
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
function resolved(value: any): any {
  if (!value?.$ref) return value;
  const [, , kind, name] = value.$ref.split("/");
  return components[kind][name];
}

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
const operation = ({ path, method }: { path: string; method: string }): any =>
  document.paths[path]?.[method === "FORM" ? "post" : method.toLowerCase()];

it("the document is valid OpenAPI 3.1 for an independent validator", async () => {
  const validator = new Validator();
  expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
  expect(validator.version).toBe("3.1");
});

it("the document has exactly the named endpoints", () => {
  expect(Object.keys(document.paths).sort()).toEqual(named.map(({ path }) => path).sort());
  const tags = (document.tags as { name: string }[]).map(({ name }) => name);
  for (const each of named) {
    const { operationId, tags: own } = operation(each);
    expect(operationId).toBe(each.name);
    expect(own).toHaveLength(1);
    expect(tags).toContain(own[0]);
  }
});

it("the document says that further values of a headline are texts, as the contract does", () => {
  const { properties, additionalProperties } =
    components.schemas.Notification.properties.displayHeadlineMessageTemplateData;
  expect(Object.keys(properties)).toEqual(["actionUser", "recipientUser"]);
  expect(additionalProperties).toEqual({ type: "string", description: "At most 65,536 bytes of UTF-8." });
});

it("the document describes the webhook message of every event type", () => {
  type Hook = { post: { requestBody: { content: Record<string, { schema: object }> } } };
  const webhooks = document.webhooks as Record<string, Hook>;
  expect(Object.keys(webhooks).sort()).toEqual([...eventTypes].sort());
  const content = webhooks["document.add"]?.post.requestBody.content;
  const [shared, own] = resolved(content?.["application/json"]?.schema).allOf;
  expect(resolved(shared).required).toEqual(expect.arrayContaining(["webhookId", "createdAt"]));
  expect(own.properties).toMatchObject({
    event: { const: "document.add" },
    actionType: { const: "add" },
    source: { const: "document" },
    data: { required: ["documentId"] },
  });
});

it("the example of an event has what a message of its type has, and the keys of the workspace", () => {
  const withKeys = openApi(endpoints, {
    version: "1.2.3",
    api: "https://api.example",
    keys: { apiKey: "ws_1", authToken: "at_1" },
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
  const exampleOf = (type: string): any =>
    // biome-ignore lint/suspicious/noExplicitAny: as above
    (withKeys.webhooks as any)[type].post.requestBody.content["application/json"].example;
  expect(exampleOf("comment_annotation.status_change")).toMatchObject({
    workspace: "ws_1",
    organizationId: "acme",
    documentId: "plan",
    data: { status: "RESOLVED" },
  });
  for (const type of ["organization.add", "folder.update", "user.add", "permission.update", "webhook_endpoint.test"]) {
    expect(exampleOf(type)).not.toHaveProperty("documentId");
  }
  expect(exampleOf("webhook_endpoint.test").organizationId).toBe("");
  expect(exampleOf("permission.update").data.resource).toEqual({ type: "document", id: "plan" });
});

it("an operation of the contract has its number, and every other one is marked as a companion", () => {
  for (const each of named) {
    const marks = each.companion ? { "x-companion": true } : { "x-contract": each.contract };
    expect(operation(each)).toMatchObject(marks);
  }
});

it("an operation requires both credential headers, or a user's token where users may call, or none", () => {
  for (const each of named) {
    const ofServers = each.credentials === "none" ? [] : [{ apiKey: [], authToken: [] }];
    const ofUsers = each.users ? [{ userToken: [] }] : [];
    expect(operation(each).security ?? document.security).toEqual([...ofServers, ...ofUsers]);
    expect(operation(each).description.includes("user's token opens it")).toBe(each.users !== undefined);
  }
  expect(Object.keys(components.securitySchemes)).toEqual(["apiKey", "authToken", "userToken"]);
});

it("a field says whether it is the calling user, and whether only servers send or see it", () => {
  const { Comment, Person } = components.schemas;
  expect(Comment.properties.from["x-actor"]).toBe(true);
  expect(Comment.properties.createdAt["x-unsent-by-users"]).toBe(true);
  expect(Person.properties.email).toMatchObject({
    "x-hidden-from-users": true,
    description: expect.stringContaining("Only servers"),
  });
  const marked = JSON.stringify(document).match(/"x-(?:actor|unsent-by-users|hidden-from-users)":true/g);
  expect(marked?.length).toBeGreaterThan(40);
});

it("an operation has the Idempotency-Key and ABORTED exactly when its endpoint writes", () => {
  for (const each of named) {
    const parameters: { name: string }[] = (operation(each).parameters ?? []).map(resolved);
    expect(parameters.some(({ name }) => name === "idempotency-key")).toBe(each.isWrite);
    const conflict = JSON.stringify(resolved(operation(each).responses[409]) ?? {});
    expect(['"ABORTED"', '"retry-after"'].map((text) => conflict.includes(text))).toEqual([each.isWrite, each.isWrite]);
  }
});

it("the description of the Idempotency-Key names exactly the failures that do not end its call", () => {
  const { description } = components.parameters.IdempotencyKey;
  const [, notFinal] = /is final\. (.+) are not final/.exec(description) as unknown as [string, string];
  const statuses = Object.keys(httpStatus) as ErrorStatus[];
  expect(statuses.filter((status) => notFinal.includes(status))).toEqual(
    statuses.filter((status) => effectOnKey[status] !== "store"),
  );
});

it("an operation has each of its failures under the HTTP status of the failure", () => {
  for (const each of named) {
    const statuses = errorsOf(each);
    expect(statuses).toEqual(expect.arrayContaining(["INVALID_ARGUMENT", "INTERNAL", ...each.errors]));
    expect(statuses.includes("PERMISSION_DENIED")).toBe(each.credentials !== "none");
    for (const status of statuses) {
      expect(JSON.stringify(resolved(operation(each).responses[httpStatus[status]]))).toContain(`"${status}"`);
    }
    expect(operation(each).responses).toHaveProperty("413");
    expect(operation(each).responses).toHaveProperty("429");
    expect(JSON.stringify(resolved(operation(each).responses[429])).includes("RESOURCE_EXHAUSTED")).toBe(
      each.credentials === "workspace",
    );
  }
});

it("an example has a location with an id, and no map from an id to nothing", () => {
  const text = JSON.stringify(document);
  expect(text).toContain('"location":{"id":"page-1","locationName":"Page 1"}');
  expect(text).not.toContain('{"an-id":null}');
});

it.each(named.map((each) => [each.name, each] as const))("%s has examples that fit its schemas", (_, each) => {
  const { requestBody, parameters, responses } = operation(each);
  const sent = requestBody
    ? requestBody.content["application/json"].example.data
    : Object.fromEntries(
        parameters.map(resolved).map(({ name, example }: { name: string; example: unknown }) => [name, example]),
      );
  expect(each.data.safeParse(sent)).toMatchObject({ success: true });
  if (each.envelope === "page") return;
  const { example } = responses[200].content["application/json"];
  expect(each.reply.safeParse(each.envelope === "raw" ? example : example.result.data)).toMatchObject({
    success: true,
  });
});

it("an operation has the header that names ignored fields, and says whether it refuses unknown top-level ones", () => {
  for (const each of named.filter(({ method }) => method === "POST")) {
    const { requestBody, responses } = operation(each);
    const { data } = requestBody.content["application/json"].schema.properties;
    const isStrict = /(delete|remove|revoke)$/.test(each.path);
    expect(data.additionalProperties === false).toBe(isStrict);
    expect(responses[200].headers).toHaveProperty("x-ignored-fields");
  }
});

it("with the keys of a workspace, examples have these keys in place of the placeholders", () => {
  const withKeys = openApi(endpoints, {
    version: "1.2.3",
    api: "https://api.example",
    keys: { apiKey: "ws_1", authToken: "at_1" },
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects
  const examplesOf = ({ paths }: typeof document): any =>
    paths["/v1/organizations/documents/locations/update"]?.post?.requestBody;
  const sent = examplesOf(withKeys).content["application/json"].example.data;
  expect(sent).toMatchObject({ apiKey: "ws_1", authToken: "at_1", documentId: "plan" });
  expect(examplesOf(document).content["application/json"].example.data).toMatchObject({ apiKey: "{apiKey}" });
  expect(Object.keys(withKeys.paths)).toContain("/.well-known/jwks/{apiKey}");
  const { description } = withKeys.info as { description: string };
  expect(description).toMatch(/curl https:\/\/api\.example\/[\s\S]*-api-key: ws_1'[\s\S]*-auth-token: at_1'/);
});

it("equal failures of operations are one shared response", () => {
  const names = named.flatMap((each) =>
    Object.entries<{ $ref?: string }>(operation(each).responses).flatMap(([http, { $ref }]) =>
      http === "200" ? [] : [$ref?.replace("#/components/responses/", "")],
    ),
  );
  expect([...new Set(names)].sort()).toEqual(Object.keys(components.responses).sort());
});

it("the result of an item is a success, or a failure with one of the known codes", () => {
  const [success, failure] = components.schemas.ItemResult.anyOf;
  expect(success.properties.success).toMatchObject({ const: true });
  expect(success.properties.code).toBeUndefined();
  expect(failure.properties).toMatchObject({
    success: { const: false },
    code: { $ref: "#/components/schemas/ItemCode" },
  });
  expect(components.schemas.ItemCode.enum).toContain("already-exists");
});

it("a named schema is used, and so is every shared response, header and parameter", () => {
  const text = JSON.stringify(document);
  for (const kind of ["schemas", "responses", "headers", "parameters"]) {
    const unused = Object.keys(components[kind]).filter((name) => !text.includes(`"#/components/${kind}/${name}"`));
    expect(unused, kind).toEqual([]);
  }
});
