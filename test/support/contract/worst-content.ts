// Content of the largest size that validation admits.
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import { storedContent } from "../../../lib/notifications/stored-content.ts";
import { featureKinds } from "../../../lib/schema/feature-kinds.ts";
import { identityOf } from "../../../lib/schema/location.ts";
import { judgmentEntity } from "../../../lib/store/ai/judgment.ts";
import { judgmentMonthEntity } from "../../../lib/store/ai/judgment-month.ts";
import * as Document from "../../../lib/store/content/document.ts";
import * as LocationChanges from "../../../lib/store/content/location-changes.ts";
import * as Feature from "../../../lib/store/features/feature.ts";
import * as Notification from "../../../lib/store/notifications/notification.ts";
import * as Recipients from "../../../lib/store/notifications/recipients.ts";
import { presenceEntity } from "../../../lib/store/presence.ts";
import type { DocumentUid } from "../../../lib/store/refs.ts";
import * as WebhookEndpoint from "../../../lib/store/webhooks/webhook-endpoint.ts";
import type { Credentials } from "../call.ts";

const [organizationId, documentId] = ["acme", "plan"];
const indexes = (count: number) => Array.from({ length: count }, (_, index) => index);
const at = (index: number) => new Date(Date.UTC(2026, 0, 1) + index).toISOString();

async function document({ apiKey: workspace }: Credentials) {
  const found = await Document.get({ workspace, organizationId, documentId });
  return { workspace, organizationId, documentUid: found?.documentUid as DocumentUid };
}

/** The character as often as it fits `bytes` of JSON. */
const filled = (character: string, bytes: number) =>
  character.repeat(Math.floor(bytes / Buffer.byteLength(JSON.stringify(character).slice(1, -1))));

/** Of each kind, `count` items of 256 KB in which the user takes part. Their texts consist of one character. */
export async function fillHistory(as: Credentials, userId: string, count: number, character = "x"): Promise<void> {
  const ref = await document(as);
  const { locationUid, writes } = LocationChanges.creation(ref, identityOf({ id: "large" }), { id: "large" });
  await commit(writes);
  const metadata = Object.fromEntries(indexes(4).map((index) => [index, filled(character, 65_000)]));
  const ids = { comments: "annotationId", reactions: "reactionId", recordings: "recordingId" };
  for (const index of indexes(count)) {
    for (const kind of featureKinds) {
      const record = JSON.stringify({ [ids[kind]]: `${index}`, from: { userId }, metadata });
      const item = { ...ref, locationUid, kind, id: `large-${index}` };
      await commit(Feature.creation(item, { record, participants: [userId], at: at(index) }).writes);
    }
    const notification = { ...ref, at: at(index), notificationId: `large-${index}` };
    const content = storedContent({
      ...{ actionUser: { userId: "alice" }, notifyUsers: [{ userId }], notifyAll: false },
      notificationSourceData: metadata,
    });
    await commit(Notification.creation(notification, { documentId, actorId: "alice", content }));
    await Recipients.add(notification, content.length, [{ userId, generation: 0 }]);
  }
}

/** Entries of 4 KB. `generation` 1: their users were deleted, so no page shows them. */
export async function fillPresence(as: Credentials, count: number, generation?: number): Promise<void> {
  const ref = await document(as);
  const entry = { metadata: JSON.stringify({ a: "x".repeat(3_900) }), updatedAt: at(0), ttl: 9e9, generation };
  await putAll(
    indexes(count)
      .map((index) => `user-${index}`)
      .map((userId) => presenceEntity.put({ ...ref, userId }, { ...entry, userId })),
  );
}

/** Adds endpoints whose fields have their largest sizes. */
export async function fillWebhookEndpoints(
  { apiKey: workspace }: Credentials,
  count: number,
  character = "x",
): Promise<void> {
  const endpoint = {
    ...{ url: "https://example.com", disabled: false, secrets: [], createdAt: at(0), updatedAt: at(0) },
    description: character.repeat(65_536 / Buffer.byteLength(character)),
    filterTypes: indexes(100).map((index) => `type-${index}.`.padEnd(128, "x")),
    channels: indexes(100).map((index) => `document:${index}${"🦜".repeat(254)}`),
    metadata: JSON.stringify({ a: "x".repeat(16_000) }),
  };
  for (const index of indexes(count)) {
    await commit([WebhookEndpoint.creating({ workspace }, { ...endpoint, id: `e${index}` })]);
  }
}

/** Judgments of one month, newest last, directly in the table. */
interface Month {
  organizationId: string;
  count: number;
  /** Of each of the three texts of a judgment. */
  characters: number;
}

/** Judgments of these months of 2026-01. Each has the words of the question, and words of its own. */
export async function fillMemory({ apiKey: workspace }: Credentials, months: readonly Month[]): Promise<void> {
  for (const { organizationId, count, characters } of months) {
    const month = { workspace, organizationId, month: "2026-01" };
    const counter = { organizationId, month: "2026-01", version: 1, since: at(0), size: count };
    const puts = indexes(count).map((index) => {
      const own = `unapproved discounts w${index} `;
      const text = own.repeat(Math.ceil(characters / own.length)).slice(0, characters);
      const actionUser = { userId: "u", name: text, email: text };
      const judgment = { recordId: `r${index}`, createdAt: at(index), decision: "rejected", actionUser } as const;
      return judgmentEntity.put({ ...month, ...judgment }, { ...judgment, reasoning: text });
    });
    await putAll([judgmentMonthEntity.put(month, counter), ...puts]);
  }
}
