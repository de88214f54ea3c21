import { beforeEach, describe, expect, it } from "vitest";
import {
  handler as getHandler,
  advancedwebhookconfigGet as getting,
} from "../../../functions/webhooks/advancedwebhookconfig-get.ts";
import {
  handler,
  advancedwebhookconfigUpdate as updating,
} from "../../../functions/webhooks/advancedwebhookconfig-update.ts";
import {
  handler as createHandler,
  webhookEndpointsCreate,
} from "../../../functions/webhooks/webhook-endpoints-create.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { type Credentials, must, newWorkspace } from "../../support/call.ts";
import { callsOf } from "../../support/feature-data.ts";
import { jobsOf } from "../../support/jobs.ts";
import { addEndpoint, emit, eventOf, receiver, runWaiting } from "../../support/webhooks.ts";
import { mocked } from "../../support/workspace.ts";

let as: Credentials;
beforeEach(async () => {
  as = await newWorkspace();
});
const set = (isEnabled: boolean) => must(updating, { as, data: { isEnabled } });
const wanted = async () => (await Setting.get({ workspace: as.apiKey }, "webhooks")).wantedEvents;

describe("OK", () => {
  it("is off by default, and returns the last value set", async () => {
    expect(await must(getting, { as })).toEqual({ isEnabled: false });
    for (const isEnabled of [true, true, false, false, true]) {
      expect(await set(isEnabled)).toEqual({ isEnabled });
      expect(await must(getting, { as })).toEqual({ isEnabled });
    }
  });

  it("keeps waiting deliveries while webhooks are off, and attempts them when webhooks are on again", async () => {
    await set(true);
    const { received, url } = await receiver();
    await addEndpoint(as.apiKey, { url, filterTypes: ["document.add"] });
    expect(await wanted()).toEqual(["document.add"]);
    await set(false);
    expect(await wanted()).toEqual([]);
    await emit(as.apiKey, eventOf(as.apiKey));
    expect(received).toEqual([]);
    await set(true);
    expect(await wanted()).toEqual(["document.add"]);
    expect(await jobsOf(as, "fanout")).toHaveLength(1);
    await runWaiting(as.apiKey);
    expect(received).toHaveLength(1);
  });

  it("stores no job when no delivery can be waiting", async () => {
    await set(true);
    await set(false);
    await set(true);
    expect(await jobsOf(as, "fanout")).toEqual([]);
  });
});

describe("AWS calls", () => {
  const settings = [
    { pk: "W#w", sk: "SETTING#switches", advancedWebhooks: true },
    { pk: "W#w", sk: "SETTING#webhooks", wantedEvents: [], version: 1 },
  ];
  const read = "BatchGet W#w SETTING#switches, W#w SETTING#webhooks";
  const table = [...mocked.rows, ...settings];

  it("get makes one read", async () => {
    const { status, calls } = await callsOf(getHandler, getting, {}, table);
    expect({ status, calls }).toEqual({ status: 200, calls: ["Get W#w SETTING#switches"] });
  });

  it("update makes one read when nothing changes, else reads the endpoints and makes one transaction", async () => {
    expect((await callsOf(handler, updating, { isEnabled: true }, table)).calls).toEqual([read]);
    expect((await callsOf(handler, updating, { isEnabled: false }, table)).calls).toEqual([
      read,
      "Query W#w#HOOKS",
      "TransactWrite Update W#w SETTING#switches, Update W#w SETTING#webhooks if {version}",
    ]);
  });

  it("create makes a data key, reads the endpoints and makes one transaction with the summary", async () => {
    const data = { url: "https://example.com", filterTypes: ["document.add"] };
    const { status, calls } = await callsOf(createHandler, webhookEndpointsCreate, data, table);
    expect(status).toBe(200);
    expect(calls).toEqual([
      read,
      "Query W#w#HOOKS",
      expect.stringMatching(
        /^TransactWrite Put W#w#HOOKS whe_[\w-]{36} if absent, Update W#w SETTING#webhooks if \{version\}$/,
      ),
      "GenerateDataKey",
    ]);
  });
});
