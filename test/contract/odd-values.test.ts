// A client chooses names, texts and numbers freely. Each call takes such a value as it is, or refuses it clearly.
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import { eventTypes } from "../../lib/schema/events.ts";
import * as Setting from "../../lib/store/setting.ts";
import { type Credentials, call } from "../support/call.ts";
import { errorLines } from "../support/capture-logs.ts";
import { furnishedWorkspace } from "../support/contract/furnished-workspace.ts";
import { longText, objectOf, oddNames, oddNumbers } from "../support/contract/odd-values.ts";
import { dataOf, posts } from "../support/contract/requests.ts";
import { type Field, fieldsOf, valueAt, withValue } from "../support/contract/schema-fields.ts";
import { isLong } from "../support/long.ts";

const objects = [
  ...oddNames.flatMap((name) => [objectOf(name, '"x"'), objectOf("note", objectOf(name, '"x"'))]),
  ...oddNames.flatMap((name) => [objectOf("id", JSON.stringify(name)), objectOf("locationName", JSON.stringify(name))]),
  ...oddNumbers.flatMap((number) => [objectOf("note", number), objectOf("id", number)]),
  objectOf("note", longText("a.")),
];
/** The longest id in bytes. A key of DynamoDB has room for it only if it is shortened or stands alone. */
const longestId = JSON.stringify("🦜".repeat(256));
/** Each field gets these: DynamoDB refuses such an id in a key, and the SDK such a name of a field. */
const always = [longestId, JSON.stringify("constructor"), objectOf("constructor", '"x"')];
const oddTexts = [...oddNames.map((name) => JSON.stringify(name)), longText("a."), longText("a "), longestId];

function oddFor({ type }: Field): string[] {
  if (type === "number" || type === "int") return oddNumbers;
  if (type === "record") return objects;
  if (type === "string") return oddTexts;
  if (type === "unknown" || type === "union") return [...objects, ...oddTexts, ...oddNumbers];
  return [];
}

/** In the exact tests, the fields take turns: each gets every third value beside these. In the long trial, all. */
const turns = isLong ? 1 : 3;
let turn = 0;

let as: Credentials;

beforeAll(async () => {
  // No worker runs: extractions do not wait.
  vi.stubEnv("INGEST_BUDGET_SECONDS", "0");
  as = await furnishedWorkspace();
  const everything = { wantedEvents: ["*"], activityEvents: [...eventTypes], emailEvents: [...eventTypes] };
  await Setting.update({ workspace: as.apiKey }, "webhooks", everything);
});

let keys = 0;

/** The request with this JSON at the path. */
function send(endpoint: Endpoint, path: readonly string[], json: string) {
  const data = dataOf(endpoint);
  const place = "odd-value-here";
  const valid = valueAt(data, path);
  const isInside = typeof valid === "object" && json.startsWith("{");
  // Beside the fields of a valid object, in place of any other value.
  const value = isInside ? { ...valid, [place]: place } : place;
  const text = JSON.stringify({ data: withValue(data, path, value) });
  const body = isInside
    ? text.replace(`"${place}":"${place}"`, () => json.slice(1, -1))
    : text.replace(`"${place}"`, () => json);
  const headers = endpoint.isWrite ? { "idempotency-key": `odd-${keys++}` } : {};
  return call(endpoint, { as, body, headers });
}

const oddFields = ({ data }: Endpoint) => fieldsOf(data).filter((field) => oddFor(field).length > 0);

describe.each(posts.filter((each) => oddFields(each).length > 0))("$name", (endpoint) => {
  const fields = oddFields(endpoint);

  it.each(fields.map((field) => [field.path.join("."), field, turn++] as const))(
    "takes or refuses odd values of %s",
    async (_, field, first) => {
      const isItsTurn = (json: string, index: number) => always.includes(json) || (first + index) % turns === 0;
      for (const json of oddFor(field).filter(isItsTurn)) {
        const { status, error } = await send(endpoint, field.path, json);
        // A failure that the contract states, such as of an unknown vendor, is no error of the service.
        const causes = errorLines().map(({ cause }) => cause);
        expect(causes, `${json.slice(0, 80)}: ${status} ${JSON.stringify(error)?.slice(0, 200)}`).toEqual([]);
      }
    },
  );
});
