// Calls every endpoint with each text bad, while what its ids name exists or not. In Lambda, a rejection that nobody
// handles ends the process, and with it the function's other calls.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import * as Setting from "../../lib/store/setting.ts";
import { type Credentials, call, newWorkspace } from "../support/call.ts";
import { furnishedWorkspace } from "../support/contract/furnished-workspace.ts";
import { dataOf, posts } from "../support/contract/requests.ts";
import { type Field, fieldsOf, withValue } from "../support/contract/schema-fields.ts";
import { isLong } from "../support/long.ts";
import { unhandledRejections } from "../support/unhandled-rejections.ts";

const callsInFlight = 8;
/** Texts that many schemas accept, and that are no page token, no date, no URL and no name of a model. */
const badTexts = isLong ? ["AAAA", "nope"] : ["nope"];

// Otherwise an extraction without a run waits for one, and calls above the workspace's limit do not run.
beforeAll(() => {
  vi.stubEnv("INGEST_BUDGET_SECONDS", "0");
  vi.stubEnv("WORKSPACE_CALLS_PER_SECOND", "1000");
});
afterAll(() => void vi.unstubAllEnvs());

/** Requests in which something that an id names is missing, a text is bad, both or neither. */
function requestsOf({ data: schema, ...endpoint }: Endpoint): object[] {
  const fields = fieldsOf(schema);
  const valid = dataOf({ ...endpoint, data: schema });
  const absent = fields.filter(({ isId }) => isId).map(({ path }) => withValue(valid, path, "nope"));
  const texts = fields.filter(({ type }) => type === "string");
  // In the exact tests, each missing thing meets every third text.
  const isMet = (nth: number, index: number) => isLong || nth === 0 || (nth + index) % 3 === 0;
  return [valid, ...absent].flatMap((data, nth) => [
    data,
    ...texts.filter((_, index) => isMet(nth, index)).flatMap((field) => withBad(data, field)),
  ]);
}

const withBad = (data: object, { path }: Field) => badTexts.map((text) => withValue(data, path, text));

/** A workspace in which nothing exists, with its switches on. */
async function emptyWorkspace(): Promise<Credentials> {
  const as = await newWorkspace();
  const switches = { advancedQueries: true, notifications: true, advancedWebhooks: true };
  await Setting.update({ workspace: as.apiKey }, "switches", switches);
  return as;
}

describe.each(posts.filter(({ data }) => fieldsOf(data).length > 0))("$name", (endpoint) => {
  it.each([
    { where: "nothing exists", workspaceOf: emptyWorkspace },
    { where: "all exists but what one id names", workspaceOf: () => furnishedWorkspace(endpoint) },
  ])("leaves no rejection unhandled for a bad text where $where", async ({ workspaceOf }) => {
    const rejections = unhandledRejections();
    const as = await workspaceOf();
    const requests = requestsOf(endpoint);
    for (let start = 0; start < requests.length; start += callsInFlight) {
      const batch = requests.slice(start, start + callsInFlight);
      const replies = await Promise.all(batch.map((data) => call(endpoint, { as, data })));
      expect(replies.map(({ status }) => status)).not.toContain(429);
      expect({ requests: batch, rejections: await rejections() }).toEqual({ requests: batch, rejections: [] });
    }
  });
});
