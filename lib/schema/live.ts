// What a live message says about each kind of event (DECISIONS.md#live).
import type { EventType } from "./events.ts";

export type LiveKind = "comments" | "reactions" | "recordings" | "crdt" | "presence" | "document" | "notifications";

/** A message to the pages that listen. They read what it names, and all of its kind if it names nothing. */
export interface LiveMessage {
  v: 1;
  /** Only about a document: the messages of a document have successive numbers. */
  seq?: number;
  kind: LiveKind;
  ids?: string[];
}

type Group = EventType extends infer Type ? (Type extends `${infer Name}.${string}` ? Name : never) : never;

/** `ids`: the field of the event with the id, or the ids, of what has changed. Undefined: no page hears of the event. */
const groups: Record<Group, { kind: LiveKind; ids?: string } | undefined> = {
  comment: { kind: "comments", ids: "annotationId" },
  comment_annotation: { kind: "comments", ids: "annotationId" },
  reaction: { kind: "reactions", ids: "reactionId" },
  recorder: { kind: "recordings", ids: "recordingId" },
  crdt: { kind: "crdt", ids: "editorId" },
  presence: { kind: "presence", ids: "userIds" },
  document: { kind: "document" },
  location: { kind: "document" },
  migration: { kind: "document" },
  folder: undefined,
  notification: undefined,
  organization: undefined,
  permission: undefined,
  user: undefined,
  usergroup: undefined,
  webhook_endpoint: undefined,
};

/** Nobody listens to a document before it is added. */
const groupOf = (type: EventType) =>
  type === "document.add" ? undefined : groups[type.slice(0, type.indexOf(".")) as Group];

/** Whether pages that listen to a document hear of events of this type. */
export const isHeard = (type: EventType): boolean => groupOf(type) !== undefined;

/** The kind of what the event has changed, and its ids; undefined if no page hears of the event. */
export function heardOf({
  type,
  data,
}: {
  type: EventType;
  data: object;
}): { kind: LiveKind; ids: string[] } | undefined {
  const group = groupOf(type);
  const named = group?.ids === undefined ? [] : (data as Record<string, string | string[] | undefined>)[group.ids];
  return group && { kind: group.kind, ids: [named ?? []].flat() };
}
