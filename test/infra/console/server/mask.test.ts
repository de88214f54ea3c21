import { expect, test } from "vitest";
import * as z from "zod/mini";
import { mask, maskedData, maskedText } from "../../../../infra/console/server/mask.ts";
import { endpoints } from "../../../../infra/deployables.ts";

const named = (name: string) => endpoints.find((each) => each.name === name) ?? expect.fail(name);

/** Paths of all fields of replies that are hidden by their name. */
function hiddenFields(): string[] {
  return endpoints.flatMap((endpoint) => {
    const schema = z.toJSONSchema(endpoint.reply, { io: "input", unrepresentable: "any" });
    const found: string[] = [];
    maskedData(filled(schema as Shape), endpoint, ({ field }) => found.push(`${endpoint.name} ${field}`));
    return [...new Set(found)];
  });
}

interface Shape {
  $ref?: string;
  type?: string;
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
}

/** A value that has all fields. Strings are not empty. */
function filled(shape: Shape): unknown {
  const variant = shape.anyOf?.find(({ type }) => type !== "null") ?? shape;
  if (variant.properties) {
    return Object.fromEntries(Object.entries(variant.properties).map(([name, each]) => [name, filled(each)]));
  }
  return variant.items ? [filled(variant.items)] : "text";
}

test("these fields of replies are credentials, and no others", () => {
  expect(hiddenFields().sort()).toEqual([
    "aimodelconfig-get apiKey",
    "aimodelconfig-update apiKey",
    "authtokens-create authToken",
    "authtokens-get authToken",
    "emailconfig-get apiKey",
    "emailconfig-update apiKey",
    "notifications-config-get apiKey",
    "permissionproviderconfig-get authToken",
    "permissionproviderconfig-update authToken",
    "slackconfig-get botToken",
    "slackconfig-update botToken",
    "token-generate token",
    "webhook-secret-get secret",
    "webhook-secret-rotate secret",
  ]);
});

test("page tokens and free-form data stay as they are, since a page sends them back", () => {
  const page = { users: [{ userId: "a", metadata: { token: "mine" } }], nextPageToken: "next" };
  expect(maskedData(page, named("users-get"), () => {})).toEqual(page);
});

test("a field of a schema that another one refers to is hidden too", () => {
  const Inner = z.object({ secret: z.string() });
  z.globalRegistry.add(Inner, { id: "InnerOfTheTest" });
  const reply = z.object({ one: Inner, more: z.array(Inner) });
  const data = { one: { secret: "a" }, more: [{ secret: "b" }] };
  const hidden = { one: { secret: mask }, more: [{ secret: mask }] };
  expect(maskedData(data, { reply }, () => {})).toEqual(hidden);
});

test("an empty secret stays empty, so that a page can tell whether there is one", () => {
  expect(maskedData({ botToken: "" }, named("slackconfig-get"), () => {})).toEqual({ botToken: "" });
  expect(maskedData({ botToken: "xoxb-1" }, named("slackconfig-get"), () => {})).toEqual({ botToken: mask });
});

test.each([
  ["a key of the process", "key=my-key-1", `key=${mask}`],
  ["a webhook secret", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", mask],
  ["an auth token", "at_p6SNFRldszglnW3JCm_-p392QFV9vCa9OFQ_3oZfNj0", mask],
  ["a token of Slack", "xoxb-17653672481-19874698323", mask],
  ["a word that begins alike", "at_home whsec_ xoxo", "at_home whsec_ xoxo"],
  ["an id that begins alike", `at_${"a".repeat(28)} at_${"b".repeat(44)}`, `at_${"a".repeat(28)} at_${"b".repeat(44)}`],
])("%s is hidden in any text", (_, text, hidden) => {
  expect(maskedText(text, ["my-key-1"])).toBe(hidden);
});
