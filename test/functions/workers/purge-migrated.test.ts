// The erasure of a user while documents with the user's data get other ids.
import { afterEach, expect, it, vi } from "vitest";
import { documentsDataAdd } from "../../../functions/comments/documents-data-add.ts";
import { documentsMigrate } from "../../../functions/documents/documents-migrate.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { migrate } from "../../../functions/workers/migrate.ts";
import { purge } from "../../../functions/workers/purge.ts";
import { shardOf } from "../../../lib/dynamodb/key.ts";
import { beginErasure } from "../../../lib/erasure/begin.ts";
import * as Job from "../../../lib/jobs/store.ts";
import { userEntity } from "../../../lib/store/access/user.ts";
import { documentEntity } from "../../../lib/store/content/document.ts";
import { type Command, interceptStore } from "../../support/aws/intercept-store.ts";
import { type Credentials, must } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { reaction } from "../../support/feature-data.ts";
import { jobsOf } from "../../support/jobs.ts";
import { deliver } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";
import * as f from "../../support/workspace.ts";

fakeDates();
afterEach(() => void vi.restoreAllMocks());

const organizationId = "o";
const userId = "the-erased-one";
const person = { userId, name: "Ann" };

/** Two ids whose documents an erasure visits last, and two that it visits first. */
const numbered = Array.from({ length: 200 }, (_, index) => `d${index}`);
const [last = "", lastAgain = ""] = numbered.filter((id) => shardOf(id) === 0);
const [first = "", firstAgain = ""] = numbered.filter((id) => shardOf(id) === 15);

/** A document with data of the user and of another. */
async function arrange(): Promise<Credentials> {
  const as = await f.newOrganization();
  await must(usersAdd, { as, data: { organizationId, users: [person] } });
  await f.addDocuments(as, undefined, last);
  await f.give(as, userId, f.onDocument(last));
  const reactions = [reaction("own", userId)];
  const comments = [
    {
      annotationId: "other",
      from: { userId: "ben" },
      assignedTo: person,
      comments: [{ commentId: "c", from: person, text: "Hello." }],
    },
  ];
  await must(documentsDataAdd, {
    as,
    data: { organizationId, documentId: last, location: { id: "l" }, reactions, comments },
  });
  return as;
}

const erasureOf = async ({ apiKey }: Credentials) => beginErasure(apiKey, { organizationId, userIds: [userId] });

/** Accepts a migration. Returns its job. */
async function accept(as: Credentials, documentId: string, newDocumentId: string): Promise<string> {
  await must(documentsMigrate, { as, data: { organizationId, documentId, newDocumentId } });
  const [job] = await jobsOf(as, "migrate");
  return String(job?.id);
}

const switchIds = async (as: Credentials, from: string, to: string) => deliver(migrate, [await accept(as, from, to)]);

async function finish(worker: typeof purge, job: string): Promise<void> {
  for (let run = 0; (await Job.get(job))?.state !== "done"; run++) {
    expect(run).toBeLessThan(10);
    later(120);
    await deliver(worker, [job]);
  }
}

/** Items that name the user, except the tombstone and jobs. */
async function naming({ apiKey: workspace }: Credentials) {
  const { pk } = userEntity.key({ workspace, organizationId, userId });
  const items = (await itemsOf(workspace)).filter((item) => !item.pk.startsWith("JOB#") && item.pk !== pk);
  return items.filter((item) => JSON.stringify(item).includes(userId));
}

it("leaves nothing when it begins and makes a pass at any call of the migration", async () => {
  for (let point = 0, isOver = false; !isOver; point++) {
    const as = await arrange();
    await f.give(as, userId, f.onDocument(first));
    const job = await accept(as, last, first);
    let erasure: string | undefined;
    let calls = 0;
    interceptStore(async () => {
      if (calls++ !== point) return;
      erasure = await erasureOf(as);
      await deliver(purge, [erasure]);
    });
    await deliver(migrate, [job]);
    vi.restoreAllMocks();
    isOver = erasure === undefined;
    erasure ??= await erasureOf(as);
    await finish(migrate, job);
    await finish(purge, erasure);
    expect(await naming(as), `call ${point}`).toEqual([]);
  }
});

/** Whether a command reads the documents of one shard. */
const readsDocuments = ({ constructor: { name }, input }: Command, workspace: string, shard: number) =>
  name === "QueryCommand" &&
  input.ExpressionAttributeValues?.[":pk"] === documentEntity.partition({ workspace, organizationId }, shard);

it.each([0, 7, 15])("leaves nothing when the id is switched in each pass, before it reads shard %i", async (shard) => {
  const as = await arrange();
  const erasure = await erasureOf(as);
  await deliver(purge, [erasure]);
  later(120);
  const moves = [
    [last, first],
    [lastAgain, firstAgain],
  ] as const;
  for (const [from, to] of moves) {
    let isSwitched = false;
    interceptStore(async (command) => {
      if (isSwitched || !readsDocuments(command, as.apiKey, shard)) return;
      isSwitched = true;
      await switchIds(as, from, to);
    });
    await deliver(purge, [erasure]);
    vi.restoreAllMocks();
    expect(isSwitched).toBe(true);
    if (to === first) await switchIds(as, first, lastAgain);
    later(120);
  }
  await finish(purge, erasure);
  expect(await naming(as)).toEqual([]);
});
