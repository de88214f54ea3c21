// Activity logs that exist in memory only, as an export has them.

import { type Exported, lineOf } from "../../infra/admin/activity-log/exported.ts";
import type { Checkpoint } from "../../lib/activity/checkpoint.ts";
import { idOf } from "../../lib/store/activity/activity.ts";
import {
  type ContentPart,
  canonicalJson,
  firstHash,
  hashOfRecord,
  hashOfText,
  salted,
  type Texts,
} from "../../lib/store/activity/activity-chain.ts";

export interface MadeActivity {
  eventType: string;
  documentId?: string | undefined;
  /** Absent: that of an event. */
  activityId?: string;
  texts: Partial<Record<ContentPart, string>>;
}

/** The log of these activities. */
export function chainOf(activities: readonly MadeActivity[], chain = "chain-1", organizationId = "o"): Exported[] {
  let previous = firstHash(chain);
  return activities.map(({ eventType, documentId, activityId, texts: plain }, index) => {
    const sequence = index + 1;
    const texts: Texts = Object.fromEntries(Object.entries(plain).map(([part, text]) => [part, salted(text)]));
    const content = Object.fromEntries(Object.entries(texts).map(([part, text]) => [part, hashOfText(text)]));
    const name = { chain, sequence, activityId: activityId ?? idOf(chain, sequence), organizationId, eventType };
    const record = {
      ...name,
      createdAt: "2026-01-01T00:00:00.000Z",
      ...(documentId !== undefined && { documentId }),
      content,
    };
    previous = hashOfRecord(previous, record);
    return { record, hash: previous, ...(Object.keys(texts).length > 0 && { texts }) };
  });
}

/** A line as the export writes it, without its line feed. */
export const textOf = ({ record, hash, texts }: Exported): string =>
  lineOf({ record: canonicalJson(record), hash, ...(texts && { texts: JSON.stringify(texts) }) }).slice(0, -1);

/** The checkpoint of the first `sequence` records. */
export function checkpointOf(log: readonly Exported[], sequence = log.length): Checkpoint {
  const { record, hash } = log[sequence - 1] as Exported;
  const { chain, organizationId } = record;
  return { chain, organizationId, sequence, hash, at: "2026-01-02T00:00:00.000Z" };
}
