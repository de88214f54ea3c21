// What each kind of job starts from in the suite of faults: just over a batch and a page, so that every call is made.
import { eraseJob } from "../../lib/deletion/erase-user.ts";
import { purgeJob } from "../../lib/deletion/purge.ts";
import type { Write } from "../../lib/dynamodb/write.ts";
import { commit, commitEach, putAll } from "../../lib/jobs/commit.ts";
import { type Job, newJob } from "../../lib/jobs/queue.ts";
import { storedContent } from "../../lib/notifications/content.ts";
import { type FanOut, fanOutJob } from "../../lib/notifications/fan-out.ts";
import { seal } from "../../lib/secrets.ts";
import * as Blob from "../../lib/store/blob.ts";
import { dataKeys } from "../../lib/store/data-keys.ts";
import * as Document from "../../lib/store/document.ts";
import * as Grant from "../../lib/store/grant.ts";
import * as IngestRun from "../../lib/store/ingest-run.ts";
import { keys, shardCount, shardOf } from "../../lib/store/keys.ts";
import * as Migration from "../../lib/store/migration.ts";
import * as Notification from "../../lib/store/notification.ts";
import * as Organization from "../../lib/store/organization.ts";
import * as Setting from "../../lib/store/setting.ts";
import * as Workspace from "../../lib/store/workspace.ts";
import type { AwsCommand } from "../support/aws/edge.ts";
import type { Scene } from "../support/aws/faults.ts";
import { numbered } from "../support/notifications.ts";
import { addEndpoint, eventOf, hooked } from "../support/webhooks.ts";
import { ann, at, documentData } from "./furnish.ts";

export const organizationId = "o";
const document = { documentId: "d", uid: "x", ancestors: [], createdAt: at };
const put = (writes: Write[]) => commitEach(writes.map((write) => ({ writes: [write] })));

/** A workspace with what `writes` says, and the job to be run there. */
async function started(writes: (workspace: string) => Write[], jobOf: (workspace: string) => Job): Promise<string> {
  const { apiKey } = await Workspace.create({ name: "faults" });
  await put(writes(apiKey));
  await commit([], { jobs: [jobOf(apiKey)] });
  return apiKey;
}

const pagesOf =
  (size: number) =>
  ({ constructor: { name }, input }: AwsCommand) => {
    if (name === "QueryCommand" && !input.IndexName) input.Limit = size;
  };

const documentWith = (w: string, o = organizationId) => [
  ...Document.creation(w, o, document, undefined),
  ...documentData(w, o, "x"),
];

export const migration: Scene = {
  arrange: async () => {
    const ids = { migrationId: "m", documentId: "d", newDocumentId: "e", uid: "x" };
    const { apiKey } = await Workspace.create({ name: "faults" });
    await Setting.update(apiKey, "webhooks", { wantedEvents: ["migration.completed"] });
    await put([
      ...Document.creation(apiKey, organizationId, document, undefined),
      { put: { ...keys.document(apiKey, organizationId, "e"), documentId: "e", uid: "r" } },
      ...numbered(3, "u").map((userId) => Grant.onDocument(apiKey, "r", { userId, life: 0, accessRole: "viewer" })),
      Grant.onDocument(apiKey, "x", { userId: "u0", life: 0, accessRole: "editor" }),
      Migration.creation(apiKey, organizationId, ids),
    ]);
    await commit([], { jobs: [newJob("migrate", apiKey, { organizationId, migrationId: "m" })] });
    return apiKey;
  },
  before: pagesOf(2),
};

export const documentPurge: Scene = {
  arrange: () =>
    started(
      (w) => documentData(w, organizationId, "x"),
      (w) => purgeJob(w, [keys.documentData(w, "x")]),
    ),
  before: pagesOf(6),
};

export const erasure: Scene = {
  arrange: () =>
    started(
      (w) => documentWith(w),
      (w) => eraseJob(w, { organizationId, userId: ann }),
    ),
};

/** One more than a batch takes, of those who get it; the first wants nothing. */
export const named = numbered(27, "n");
/** In two shards only, so that a round has few calls. */
export const members = numbered(400, "m")
  .filter((id) => shardOf(id) < 2)
  .slice(0, 30);

const cursorsOfTwoShards: FanOut["cursors"] = Array.from({ length: shardCount }, (_, shard) => (shard < 2 ? "" : null));

function notification(cursors?: FanOut["cursors"]): Scene {
  const place = { organizationId, uid: "x", at, notificationId: "n" };
  return {
    async arrange() {
      const { apiKey } = await Workspace.create({ name: "faults" });
      const notifyUsers = named.map((userId) => ({ userId }));
      const asked = { actionUser: { userId: "ann" }, notifyUsers, notifyAll: false, isNotificationResolverUsed: true };
      await Organization.createMissing(apiKey, [{ organizationId }]);
      await putAll([
        ...members.map((userId) => ({ ...keys.user(apiKey, organizationId, userId), userId, accessRole: "viewer" })),
        ...["n0", members[0] as string].map((userId) => {
          return { ...dataKeys.preference(apiKey, "x", userId), userId, life: 0, inbox: "NONE" };
        }),
      ]);
      await put([
        ...Document.creation(apiKey, organizationId, document, undefined),
        ...Notification.creation(apiKey, "d", place, storedContent(asked)),
      ]);
      const job = fanOutJob(apiKey, place);
      await commit([], { jobs: [{ ...job, payload: { ...job.payload, ...(cursors && { cursors }) } }] });
      return apiKey;
    },
    before: pagesOf(14),
    // No time for a second step, and enough to make the first.
    remainingMs: 9_900,
  };
}

export const notificationOfNamed = notification();
export const notificationOfMembers = notification(cursorsOfTwoShards);

/** A file of more than a batch of chunks, for the model at `baseUrl` to group. */
export function extraction(baseUrl: () => string): Scene {
  return {
    async arrange() {
      const { apiKey } = await Workspace.create({ name: "faults" });
      const openaiApiKeySealed = await seal("k", { workspace: apiKey, purpose: Setting.aiKeyPurpose("openai") });
      await Setting.update(apiKey, "ai", { openaiApiKeySealed, openaiBaseUrl: baseUrl() });
      const bytes = Buffer.from(numbered(27, `${"Check all of it. ".repeat(80)}`).join("\n"));
      const asked = {
        runId: "r",
        fingerprint: IngestRun.fingerprintOf(bytes, "text", undefined),
        mimeType: "text/plain",
      };
      await Blob.put(apiKey, asked.fingerprint, bytes);
      await IngestRun.start(apiKey, { ...asked, state: "running", startedAt: Date.now(), vendorCalls: 0 }, undefined);
      return apiKey;
    },
  };
}

/** Events for an endpoint, of which the receiver at `url` is to have each. */
export function webhooks(url: () => string, rateLimit?: number): Scene {
  return {
    async arrange() {
      const { apiKey } = await hooked();
      await addEndpoint(apiKey, { url: url(), ...(rateLimit && { rateLimit }) });
      const events = ["a", "b", "c"].map((id) => eventOf(apiKey, id));
      await commit([], { jobs: [newJob("fanout", apiKey, { events, createdAt: new Date().toISOString() })] });
      return apiKey;
    },
  };
}
