import { describe, expect, it } from "vitest";
import { activityconfigGet, handler } from "../../../functions/workspace/activityconfig-get.ts";
import { activityconfigUpdate } from "../../../functions/workspace/activityconfig-update.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { must, newWorkspace } from "../../support/call.ts";
import { callSource, mocked } from "../../support/workspace.ts";

const activityServiceConfig = { isEnabled: true, immutable: true, triggers: { comment: { added: true } } };

describe("OK", () => {
  it("answers { isEnabled: false } where nothing was ever set, whatever another workspace has", async () => {
    await must(activityconfigUpdate, { as: await newWorkspace(), data: { activityServiceConfig } });
    const as = await newWorkspace();
    expect(await must(activityconfigGet, { as })).toEqual({ activityServiceConfig: { isEnabled: false } });
  });

  it("answers what is stored", async () => {
    const as = await newWorkspace();
    await must(activityconfigUpdate, { as, data: { activityServiceConfig } });
    expect(await must(activityconfigGet, { as })).toEqual({ activityServiceConfig });
  });
});

describe("AWS calls", () => {
  it("makes the credentials' read only", async () => {
    const aws = mockAws(mocked.rows);
    await callSource(handler, activityconfigGet, {});
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#activity$/),
    ]);
    aws.restore();
  });
});
