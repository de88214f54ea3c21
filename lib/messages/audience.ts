// Whom events of one document concern, as their annotations are stored now.
import { findFeatures } from "../features/find-features.ts";
import type { DomainEvent } from "../jobs/outbox.ts";
import { type CommentAnnotation, participantsOf } from "../schema/features.ts";
import type { DocumentDataRef, OrganizationRef } from "../store/refs.ts";
import { personalIn } from "./personal.ts";

/** One event, as the outbox has it. */
export interface MessageEvent {
  event: DomainEvent;
  /** ISO 8601. */
  at: string;
  /** Identifies the event. */
  origin: string;
}

export interface EventData {
  annotationId?: string;
  commentId?: string;
  actionUserId?: string;
  from?: string;
  assignedTo?: string | null;
}

export type Place = DocumentDataRef & OrganizationRef;

/** An event, with those whom it concerns. */
export interface Told {
  message: MessageEvent;
  /** Author, repliers, mentioned and assigned users. */
  involved: Set<string>;
  /** The involved users whom the event mentions, or to whom it assigns the annotation. */
  personal: Set<string>;
}

/** Undefined: the event is about no document. */
export const placeOf = ({ event: { workspace, organizationId, documentUid } }: MessageEvent): Place | undefined =>
  documentUid && { workspace, organizationId, documentUid };

export const annotationOf = ({ event }: MessageEvent) => (event.data as EventData).annotationId;

/** Those of these events whose annotation is not gone. */
export async function toldIn(place: Place, messages: readonly MessageEvent[]): Promise<Told[]> {
  const ids = [...new Set(messages.flatMap((each) => annotationOf(each) ?? []))];
  const found = await findFeatures(
    place,
    ids.map((id) => ({ kind: "comments", id }) as const),
  );
  const annotations = new Map(
    found.flatMap(({ feature, stored }) =>
      stored ? [[feature.id, JSON.parse(stored.record) as CommentAnnotation] as const] : [],
    ),
  );
  return messages.flatMap((message): Told[] => {
    const annotation = annotations.get(annotationOf(message) ?? "");
    if (!annotation) return [];
    const { type, data, mentions } = message.event;
    const mentioned = personalIn(type, annotation, (data as EventData).commentId);
    // Those whom the comment mentioned before its edit got a message then.
    const personal = mentioned.filter((userId) => mentions?.includes(userId) ?? true);
    return [{ message, involved: new Set(participantsOf.comments(annotation)), personal: new Set(personal) }];
  });
}
