// Whatever call a worker is stopped at, and however, the end is that of an undisturbed run.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { migrate } from "../../../functions/workers/migrate.ts";
import { purge } from "../../../functions/workers/purge.ts";
import { eraseJob } from "../../../lib/erase.ts";
import { type Job as JobItem, newJob } from "../../../lib/jobs.ts";
import { purgeJob } from "../../../lib/purge.ts";
import { commit, commitEach } from "../../../lib/store/commit.ts";
import { dataKeys } from "../../../lib/store/data-keys.ts";
import * as Document from "../../../lib/store/document.ts";
import * as Grant from "../../../lib/store/grant.ts";
import * as Job from "../../../lib/store/job.ts";
import { keys } from "../../../lib/store/keys.ts";
import * as Migration from "../../../lib/store/migration.ts";
import * as Setting from "../../../lib/store/setting.ts";
import type { Write } from "../../../lib/store/write.ts";
import type { QueueWorker } from "../../../lib/worker.ts";
import { itemsOf } from "../../support/scan.ts";
import { stopAt, type Way, ways } from "./every-call.ts";
import { ann, documentData } from "./furnish.ts";
import { deliver } from "./run.ts";

const [organizationId, createdAt] = ["o", "2026-01-01T00:00:00.000Z"];
const put = (writes: Write[]) => commitEach(writes.map((write) => ({ writes: [write] })));

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** What each kind of job starts from. */
const kinds: Record<
  string,
  { worker: QueueWorker; passes: number; ways: readonly Way[]; arrange(w: string): Promise<JobItem> }
> = {
  "migration to an id with grants": {
    worker: migrate,
    passes: 2,
    ways,
    async arrange(w) {
      await Setting.update(w, "webhooks", { wantedEvents: ["migration.completed"] });
      const document = { documentId: "d", uid: "x", ancestors: [], createdAt };
      const reserved = { ...keys.document(w, organizationId, "e"), documentId: "e", uid: "r" };
      const ids = { migrationId: "m", documentId: "d", newDocumentId: "e", uid: "x" };
      await put([
        ...Document.creation(w, organizationId, document, undefined),
        { put: reserved },
        ...["x", "r"].map((uid) => Grant.onDocument(w, uid, { userId: uid, life: 0, accessRole: "viewer" })),
        Migration.creation(w, organizationId, ids),
      ]);
      return newJob("migrate", w, { organizationId, migrationId: "m" });
    },
  },
  "purge of a document": {
    worker: purge,
    passes: 2,
    ways,
    async arrange(w) {
      await put([...documentData(w, organizationId, "x"), { put: { ...dataKeys.presence(w, "y", "u") } }]);
      return purgeJob(w, [keys.documentData(w, "x")]);
    },
  },
  "erasure of a user": {
    worker: purge,
    passes: 1,
    ways: ["answer lost", "process gone"],
    async arrange(w) {
      const document = { documentId: "d", uid: "x", ancestors: [], createdAt };
      await put([
        ...Document.creation(w, organizationId, document, undefined),
        ...documentData(w, organizationId, "x"),
      ]);
      return eraseJob(w, { organizationId, userId: ann });
    },
  },
};

/** Delivers and waits until the job has ended; its followers run too. */
async function finish(worker: QueueWorker, id: string): Promise<void> {
  for (let round = 0; (await Job.get(id))?.state !== "done"; round++) {
    if (round > 8) throw new Error("The job is stuck.");
    vi.setSystemTime(Date.now() + 900_000);
    await deliver(worker, [id]);
  }
}

/** What the workspace holds in the end, without times and random ids. */
async function endOf(workspace: string): Promise<unknown[]> {
  const items = await itemsOf(workspace);
  const shown = items.map((item) => {
    if (item.pk.startsWith("JOB#")) return [item.kind, item.state, item.kind === "fanout" ? item.payload : ""];
    const { createdAt: _createdAt, updatedAt: _updatedAt, switchedAt: _switchedAt, ...rest } = item;
    return rest;
  });
  const text = shown.map((each) => JSON.stringify(each, inOrder).replaceAll(workspace, "W"));
  // A purge may be there twice, as it removes what is gone; nothing else may.
  return text.filter((each, index) => !each.startsWith('["purge"') || text.indexOf(each) === index).sort();
}

/** Objects with their fields in one order: the store keeps none. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

async function runWith(kind: string, n: number, way: Way): Promise<{ isReached: boolean; end: unknown[] }> {
  const { worker, passes, arrange } = kinds[kind] as (typeof kinds)[string];
  const workspace = `every-${crypto.randomUUID()}`;
  const job = await arrange(workspace);
  await commit([], { jobs: [job] });
  const isReached = await stopAt(
    n,
    way,
    async () => {
      for (let pass = 0; pass < passes; pass++) {
        await deliver(worker, [job.id]);
        vi.setSystemTime(Date.now() + 60_000);
      }
    },
    () => finish(worker, job.id),
  );
  await finish(worker, job.id);
  return { isReached, end: await endOf(workspace) };
}

it.each(Object.entries(kinds).flatMap(([kind, { ways }]) => ways.map((way) => [kind, way] as const)))(
  "%s: a call %s",
  async (kind, way) => {
    const { end } = await runWith(kind, 10_000, way);
    for (let n = 1; ; n++) {
      const run = await runWith(kind, n, way);
      if (!run.isReached) break;
      expect(run.end, `call ${n}`).toEqual(end);
    }
  },
  300_000,
);
