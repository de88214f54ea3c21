import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { notify } from "../../../functions/workers/notify.ts";
import { storedContent } from "../../../lib/notifications/content.ts";
import { type FanOut, fanOutJob } from "../../../lib/notifications/fan-out.ts";
import { commit, putAll } from "../../../lib/store/commit.ts";
import { dataKeys } from "../../../lib/store/data-keys.ts";
import * as Document from "../../../lib/store/document.ts";
import * as Job from "../../../lib/store/job.ts";
import { keys, shardCount, shardOf } from "../../../lib/store/keys.ts";
import * as Notification from "../../../lib/store/notification.ts";
import * as Organization from "../../../lib/store/organization.ts";
import * as Table from "../../../lib/store/table.ts";
import { everyFault } from "../../support/faults.ts";
import { numbered } from "../collaboration/notify.ts";
import { deliver } from "./run.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const organizationId = "o";
/** One more than a batch takes, of those who get it; the first wants nothing. */
const named = numbered(27, "n");
/** In two shards only, so that a round has few calls. */
const members = numbered(400, "m")
  .filter((id) => shardOf(id) < 2)
  .slice(0, 30);
const place = { organizationId, uid: "x", at: "2026-01-01T00:00:00.000Z", notificationId: "n" };

interface Subject {
  workspace: string;
  id: string;
}

async function arrange(cursors?: FanOut["cursors"]): Promise<Subject> {
  const workspace = randomUUID();
  const actionUser = { userId: "ann" };
  const notifyUsers = named.map((userId) => ({ userId }));
  const content = storedContent({ actionUser, notifyUsers, notifyAll: false, isNotificationResolverUsed: true });
  const job = fanOutJob(workspace, place);
  const document = { documentId: "d", uid: "x", ancestors: [], createdAt: place.at };
  await Organization.createMissing(workspace, [{ organizationId }]);
  await putAll([
    ...members.map((userId) => ({ ...keys.user(workspace, organizationId, userId), userId, accessRole: "viewer" })),
    ...["n0", members[0] as string].map((userId) => {
      return { ...dataKeys.preference(workspace, "x", userId), userId, life: 0, inbox: "NONE" };
    }),
  ]);
  await commit([
    ...Document.creation(workspace, organizationId, document, undefined),
    ...Notification.creation(workspace, "d", place, content),
  ]);
  await commit([], { jobs: [{ ...job, payload: { ...job.payload, ...(cursors && { cursors }) } }] });
  return { workspace, id: job.id };
}

/** Leaves no time for a second step, and enough to make the first. */
const oneStepMs = 9_900;

async function run({ id }: Subject): Promise<boolean> {
  for (let steps = 0; steps < 10; steps++) {
    const failed = await deliver(notify, [id], oneStepMs);
    if ((await Job.get(id))?.state === "done") return true;
    if (failed.length > 0) return false;
  }
  return false;
}

/** Lists are named for what is in them: the same names are the same recipients, step by step. */
const listsOf = async (workspace: string) => {
  const { pk } = dataKeys.recipients(workspace, "x", "n", "");
  const { items } = await Table.query<{ sk: string; userIds: string[] }>({ pk });
  return { steps: items.map(({ sk }) => sk), userIds: items.flatMap(({ userIds }) => userIds).sort() };
};

async function havers({ workspace }: Subject, userIds: readonly string[]) {
  const wanted = userIds.map((userId) => dataKeys.userNotification(workspace, organizationId, userId, place.at, "n"));
  return (await Table.getMany<Notification.Entry>(wanted)).flatMap((entry) => entry?.userId ?? []);
}

it.each([
  ["the users it names, a batch and one", named, undefined, 10],
  ["members, some pages of two shards", members, shards(2), 20],
])("gives %s, each once, wherever it is stopped", { timeout: 600_000 }, async (_what, users, cursors, callsMin) => {
  const eligible = users.slice(1);
  const undisturbed = await arrange(cursors);
  expect(await run(undisturbed)).toBe(true);
  const calls = await everyFault<Subject>(run, {
    arrange: () => arrange(cursors),
    check: async (subject, what) => {
      expect(await havers(subject, users), what).toEqual(eligible);
      expect(await listsOf(subject.workspace), what).toEqual(await listsOf(undisturbed.workspace));
    },
    before: ({ constructor: { name }, input }) => {
      if (name === "QueryCommand" && input.Limit) input.Limit = 14;
    },
  });
  expect(calls).toBeGreaterThan(callsMin);
});

/** The first shards are to be read, the others are done. */
function shards(count: number): FanOut["cursors"] {
  return Array.from({ length: shardCount }, (_, shard) => (shard < count ? "" : null));
}
