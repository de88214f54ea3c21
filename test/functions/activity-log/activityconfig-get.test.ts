import { describe, expect, it } from "vitest";
import { activityconfigGet, handler } from "../../../functions/activity-log/activityconfig-get.ts";
import { activityconfigUpdate } from "../../../functions/activity-log/activityconfig-update.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { must, newWorkspace } from "../../support/call.ts";
import { callSource, mocked } from "../../support/workspace.ts";

const activityServiceConfig = { isEnabled: true, immutable: true, triggers: { comment: { added: true } } };

describe("OK", () => {
  it("returns { isEnabled: false } when nothing was set, independent of other workspaces", async () => {
    await must(activityconfigUpdate, { as: await newWorkspace(), data: { activityServiceConfig } });
    const as = await newWorkspace();
    expect(await must(activityconfigGet, { as })).toEqual({ activityServiceConfig: { isEnabled: false } });
  });

  it("returns the stored configuration", async () => {
    const as = await newWorkspace();
    await must(activityconfigUpdate, { as, data: { activityServiceConfig } });
    expect(await must(activityconfigGet, { as })).toEqual({ activityServiceConfig });
  });
});

describe("AWS calls", () => {
  it("makes only the read of the credentials", async () => {
    const aws = mockAws(mocked.rows);
    await callSource(handler, activityconfigGet, {});
    expect(aws.calls()).toEqual([
      expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#activity$/),
    ]);
    aws.restore();
  });
});
