// What a digest tells of each of its documents.
import type { Digest, DigestEntry } from "../digest.ts";

export type Told = Pick<Digest, "document" | "entries" | "moreCount">;

export function toldOf({ document, entries, moreCount, others = [] }: Digest): Told[] {
  return [{ document, entries, moreCount }, ...others].map((each) => ({ ...each, entries: distinctOf(each.entries) }));
}

export const countOf = (all: readonly Told[]): number =>
  all.reduce((sum, { entries, moreCount }) => sum + entries.length + moreCount, 0);

/** A call can start a thread with its first comment. That is one thing to tell, unless the thread is assigned too. */
function distinctOf(entries: readonly DigestEntry[]): DigestEntry[] {
  const nameOf = (entry: DigestEntry) => entry.kind === "annotation" && JSON.stringify([entry.annotationId, entry.at]);
  const comments = new Set(entries.filter((each) => isEvent(each, "comment.add")).map(nameOf));
  return entries.filter(
    (each) => !(isEvent(each, "comment_annotation.add") && !each.isPersonal && comments.has(nameOf(each))),
  );
}

function isEvent(entry: DigestEntry, event: string): entry is Extract<DigestEntry, { kind: "annotation" }> {
  return entry.kind === "annotation" && entry.event === event;
}
