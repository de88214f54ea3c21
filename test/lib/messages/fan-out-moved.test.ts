// An event whose document has changed until its fan-out.
import { expect, it } from "vitest";
import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import { documentsDelete } from "../../../functions/documents/documents-delete.ts";
import { documentsMigrate } from "../../../functions/documents/documents-migrate.ts";
import { migrate } from "../../../functions/workers/migrate.ts";
import { type Credentials, must } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { documentId } from "../../support/feature-data.ts";
import { jobsOf } from "../../support/jobs.ts";
import { drained, fannedOut, leftIn, mailbox, mention, withMail } from "../../support/messages.ts";
import { receive } from "../../support/run-worker.ts";
import { organizationId } from "../../support/workspace.ts";

fakeDates();

async function sentIn(as: Credentials) {
  await fannedOut(as);
  later(121);
  const box = mailbox();
  expect(await drained(as, box)).toBeUndefined();
  expect(await leftIn(as)).toEqual({});
  return box.sent.map(({ message }) => message.document.documentId);
}

it("an event of a document that was migrated meanwhile is told, under the new id", async () => {
  const as = await withMail();
  await mention(as);
  await must(documentsMigrate, { as, data: { organizationId, documentId, newDocumentId: "moved" } });
  const jobs = (await jobsOf(as, "migrate")).map(({ id }) => id);
  await receive(migrate, jobs);
  expect(await sentIn(as)).toEqual(["moved"]);
});

it("an event of a deleted document is not told about the next one of its id", async () => {
  const as = await withMail();
  await mention(as);
  await must(documentsDelete, { as, data: { organizationId, documentIds: [documentId] } });
  await must(documentsAdd, { as, data: { organizationId, documents: [{ documentId }] } });
  const jobs = await jobsOf(as, "fanout");
  later(300);
  await mention(as);
  await fannedOut(as);
  later(121);
  const box = mailbox();
  await drained(as, box);
  expect(jobs.length).toBeGreaterThan(0);
  expect(box.sent.map(({ message }) => message.entries.length)).toEqual([2]);
});
