// Turns the lists of a request into items to store, each with its events.
import { distinctBy } from "../http/item-results.ts";
import type { DomainEvent } from "../jobs/outbox.ts";
import { type CommentAnnotation, type Features, participantsOf } from "../schema/features.ts";
import type { Location } from "../schema/location.ts";
import type { NewFeature } from "./add-features.ts";
import type { FoundDocument } from "./find-document.ts";

/** `isSilent`: the items cause no events. */
export function newFeatures(
  { workspace, organizationId, documentId }: FoundDocument,
  location: Location,
  { comments = [], reactions = [], recordings = [] }: Features,
  isSilent: boolean,
): NewFeature[] {
  return [
    ...distinctBy(comments, (each) => each.annotationId).map((each) =>
      item("comments", each.annotationId, each, participantsOf.comments(each), (previous) =>
        annotationEvents(each, previous),
      ),
    ),
    ...distinctBy(reactions, (each) => each.reactionId).map((each) =>
      item("reactions", each.reactionId, each, participantsOf.reactions(each), (previous) =>
        eventIfNew(previous, "reaction.add", { reactionId: each.reactionId, from: each.from.userId }),
      ),
    ),
    ...distinctBy(recordings, (each) => each.recordingId).map((each) =>
      item("recordings", each.recordingId, each, participantsOf.recordings(each), (previous) =>
        eventIfNew(previous, "recorder.done", { recordingId: each.recordingId, from: each.from.userId }),
      ),
    ),
  ];

  function item(
    kind: NewFeature["kind"],
    id: string,
    shape: object,
    participants: string[],
    eventsAfter: NewFeature["eventsAfter"],
  ): NewFeature {
    return { kind, id, record: JSON.stringify(shape), participants, eventsAfter: isSilent ? () => [] : eventsAfter };
  }

  /** An event for a new annotation, and one for each new comment in it. */
  function annotationEvents({ annotationId, from, comments = [] }: CommentAnnotation, previous: string | undefined) {
    const known = previous === undefined ? [] : ((JSON.parse(previous) as CommentAnnotation).comments ?? []);
    const ids = new Set(known.map(({ commentId }) => commentId));
    return [
      ...eventIfNew(previous, "comment_annotation.add", { annotationId, from: from.userId, location }),
      ...distinctBy(comments, ({ commentId }) => commentId)
        .filter(({ commentId }) => !ids.has(commentId))
        .map(({ commentId, from }) => event("comment.add", { annotationId, commentId, from: from.userId })),
    ];
  }

  function eventIfNew(previous: string | undefined, type: DomainEvent["type"], data: object): DomainEvent[] {
    return previous === undefined ? [event(type, data)] : [];
  }

  function event(type: DomainEvent["type"], data: object): DomainEvent {
    return { type, workspace, organizationId, documentId, data };
  }
}
