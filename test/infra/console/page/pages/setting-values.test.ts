import { expect, test } from "vitest";
import { changedSettings, fieldsOf, valueAt } from "../../../../../infra/console/page/pages/setting-values.ts";

const schema = {
  properties: {
    isEnabled: { type: "boolean", description: "Whether it sends." },
    seconds: { type: "integer", minimum: 0, maximum: 60 },
    serviceConfig: {
      properties: {
        type: { type: "string", enum: ["default", "external"] },
        apiKey: { type: "string" },
        fromEmail: { type: "string" },
        triggers: { type: "object", additionalProperties: { type: "boolean" } },
      },
    },
  },
};
const stored = {
  isEnabled: true,
  seconds: 5,
  serviceConfig: {
    type: "default",
    apiKey: "••••",
    fromEmail: "",
    triggers: { "comment.add": true, own: { a: false } },
  },
};

function entered(values: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.set(name, value);
  return data;
}

test("the fields of a form are those of the schema, and a flag for each stored event", () => {
  const fields = fieldsOf(schema, stored);
  expect(fields.map(({ name, label, kind }) => [name, label, kind])).toEqual([
    ["isEnabled", "Is enabled", "flag"],
    ["seconds", "Seconds", "number"],
    ["serviceConfig/type", "Type", "text"],
    ["serviceConfig/apiKey", "Api key", "secret"],
    ["serviceConfig/fromEmail", "From email", "text"],
    ["serviceConfig/triggers/comment.add", "comment.add", "flag"],
    ["serviceConfig/triggers/own/a", "own a", "flag"],
  ]);
  expect(fields[0]).toMatchObject({ meaning: "Whether it sends." });
  expect(fields[1]).toMatchObject({ min: 0, max: 60 });
  expect(fields[2]).toMatchObject({ options: ["default", "external"] });
});

test("only what was changed is sent, and no secret that was not typed", () => {
  const fields = fieldsOf(schema, stored);
  const same = {
    isEnabled: "on",
    seconds: "5",
    "serviceConfig/type": "default",
    "serviceConfig/triggers/comment.add": "on",
  };
  expect(changedSettings(fields, entered(same), stored)).toEqual({});
  const { isEnabled: _, ...off } = same;
  const other = { ...off, seconds: "7", "serviceConfig/apiKey": "typed", "serviceConfig/triggers/own/a": "on" };
  expect(changedSettings(fields, entered(other), stored)).toEqual({
    isEnabled: false,
    seconds: 7,
    serviceConfig: { apiKey: "typed", triggers: { own: { a: true } } },
  });
});

test("a value is found by its path, and none in a text", () => {
  expect(valueAt(stored, "serviceConfig/type")).toBe("default");
  expect(valueAt(stored, "isEnabled/type")).toBeUndefined();
});
