// Turns the lists of a request into items to store, each with its events.
import type { DomainEvent } from "../jobs/outbox.ts";
import type { CommentAnnotation, Features } from "../schema/features.ts";
import { distinctBy } from "../schema/item-result.ts";
import type { Location } from "../schema/location.ts";
import { participantsOf } from "../schema/participants.ts";
import type { NewFeature } from "./add-features.ts";
import { additions, type Change, changes } from "./annotation-changes.ts";
import type { FoundDocument } from "./find-document.ts";

/** The events of changes in a document. `actionUserId`: who made them, if the caller says so. */
export function eventsOf(
  { workspace, organizationId, documentId, documentUid }: FoundDocument,
  made: readonly Change[],
  actionUserId: string | undefined,
): DomainEvent[] {
  return made.map(({ data, ...change }) => ({
    ...change,
    workspace,
    organizationId,
    documentId,
    documentUid,
    data: { ...data, ...(actionUserId !== undefined && { actionUserId }) },
  }));
}

interface Source {
  location: Location;
  actionUserId: string | undefined;
  /** The events of the items are only recorded: no webhook and no message has them. */
  isSilent: boolean;
}

export function newFeatures(
  document: FoundDocument,
  { comments = [], reactions = [], recordings = [] }: Features,
  { location, actionUserId, isSilent }: Source,
): NewFeature[] {
  return [
    ...distinctBy(comments, (each) => each.annotationId)
      .map(withDistinctComments)
      .map((each) =>
        item("comments", each.annotationId, each, participantsOf.comments(each), (previous) =>
          previous === undefined
            ? additions(each, location)
            : changes(JSON.parse(previous) as CommentAnnotation, JSON.parse(JSON.stringify(each))),
        ),
      ),
    ...distinctBy(reactions, (each) => each.reactionId).map((each) =>
      item("reactions", each.reactionId, each, participantsOf.reactions(each), (previous) =>
        ifNew(previous, { type: "reaction.add", data: { reactionId: each.reactionId, from: each.from.userId } }),
      ),
    ),
    ...distinctBy(recordings, (each) => each.recordingId).map((each) =>
      item("recordings", each.recordingId, each, participantsOf.recordings(each), (previous) =>
        ifNew(previous, { type: "recorder.done", data: { recordingId: each.recordingId, from: each.from.userId } }),
      ),
    ),
  ];

  function item(
    kind: NewFeature["kind"],
    id: string,
    shape: object,
    participants: string[],
    changesAfter: (previous: string | undefined) => Change[],
  ): NewFeature {
    const eventsAfter = (previous: string | undefined) =>
      eventsOf(document, changesAfter(previous), actionUserId).map((event) => ({
        ...event,
        ...(isSilent && { isUnsent: true as const }),
      }));
    return { kind, id, record: JSON.stringify(shape), participants, eventsAfter };
  }
}

/** Sets this time in the items and their comments. The calls of users send no times. */
export function withTimes({ comments, reactions, recordings }: Features, createdAt: string): Features {
  const at = <Item extends object>(items: readonly Item[] = []) => items.map((item) => ({ ...item, createdAt }));
  const annotations = at(comments).map((each) => ({ ...each, ...(each.comments && { comments: at(each.comments) }) }));
  return { comments: annotations, reactions: at(reactions), recordings: at(recordings) };
}

/** A repeated id is one comment, the first (DECISIONS.md#bounds-of-bulk-calls). */
function withDistinctComments(annotation: CommentAnnotation): CommentAnnotation {
  const { comments } = annotation;
  return comments ? { ...annotation, comments: distinctBy(comments, ({ commentId }) => commentId) } : annotation;
}

const ifNew = (previous: string | undefined, change: Change): Change[] => (previous === undefined ? [change] : []);
