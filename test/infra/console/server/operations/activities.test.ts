import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { exportedActivities } from "../../../../../infra/console/server/operations/activities.ts";
import { exportedLines } from "../../../../../lib/activity/export.ts";
import * as Activity from "../../../../../lib/store/activity/activity.ts";
import { append, newLog, organizationId } from "../../../../support/activity-log.ts";
import { fakeDates } from "../../../../support/fake-dates.ts";

fakeDates();

test("the log is the same as that of the export, and an organization without one is NOT_FOUND", async () => {
  const as = await newLog();
  await append(as);
  const organization = { workspace: as.apiKey, organizationId };
  const head = (await Activity.head(organization)) ?? expect.fail("no log");
  let lines = "";
  for await (const page of exportedLines(organization, head)) lines += page;
  expect(await text(await exportedActivities(as.apiKey, organizationId))).toBe(lines);
  for (const id of ["other", ""]) {
    await expect(exportedActivities(as.apiKey, id)).rejects.toMatchObject({ status: "NOT_FOUND" });
  }
});
