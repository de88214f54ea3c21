import { expect, it } from "vitest";
import { documentsDelete } from "../../../functions/documents/documents-delete.ts";
import { usersDataGet } from "../../../functions/personal-data/users-data-get.ts";
import { purge } from "../../../functions/workers/purge.ts";
import { type Credentials, must } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { jobsOf } from "../../support/jobs.ts";
import { newDocument, numbered, send } from "../../support/notifications.ts";
import { deliver } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";
import { organizationId } from "../../support/workspace.ts";

interface Exported {
  result: { data: { notifications: { notificationId: string }[] }; nextPageToken: string | null };
}

/** The ids in the export of the user `u`, page by page. */
async function exportedIds(as: Credentials): Promise<string[]> {
  const ids: string[] = [];
  let pageToken: string | null = null;
  do {
    const page: Exported = await must(usersDataGet, { as, data: { organizationId, userId: "u", pageToken } });
    ids.push(...page.result.data.notifications.map(({ notificationId }) => notificationId));
    pageToken = page.result.nextPageToken;
  } while (pageToken !== null);
  return ids;
}

const caused = { actionUser: { userId: "u" }, notifyAll: false, notifyUsers: [{ userId: "v" }] };
const received = { actionUser: { userId: "v" }, notifyAll: false, notifyUsers: [{ userId: "u" }] };
const both = { ...received, actionUser: { userId: "u" } };

fakeDates();

it("exports each notification that the user caused or received once, the oldest first, on any number of pages", async () => {
  const as = await newDocument();
  const kinds = [caused, received, both];
  const ids = numbered(130, "n");
  for (const [index, notificationId] of ids.entries()) {
    later(1);
    await send(as, { ...kinds[index % 3], notificationId });
  }
  expect(await exportedIds(as)).toEqual(ids);
});

it("forgets what the user caused together with its document", async () => {
  const as = await newDocument();
  await send(as, caused);
  expect(await exportedIds(as)).toHaveLength(1);
  await must(documentsDelete, { as, data: { organizationId, documentIds: ["d"] } });
  later(900);
  await deliver(
    purge,
    (await jobsOf(as, "purge")).map(({ id }) => id),
  );
  expect((await itemsOf(as.apiKey)).filter(({ entity }) => entity === "acted-entry")).toEqual([]);
});
