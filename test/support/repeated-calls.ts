// Calls of endpoints of feature data, notifications and editors, which tests disturb and repeat.
import { sourceOf } from "../../infra/deployables.ts";
import { putAll } from "../../lib/dynamodb/batch-write.ts";
import type { Item } from "../../lib/dynamodb/key.ts";
import type { Handler } from "../../lib/http/lambda.ts";
import { eventsIn } from "../../lib/jobs/outbox.ts";
import * as Document from "../../lib/store/content/document.ts";
import { inboxEntryEntity, readMarkEntity } from "../../lib/store/notifications/inbox.ts";
import { notificationPointerEntity } from "../../lib/store/notifications/notification.ts";
import { type Credentials, contextOf, eventOf } from "./call.ts";
import { wantEvents } from "./comments.ts";
import { furnishedWorkspace } from "./contract/furnished-workspace.ts";
import { named } from "./contract/requests.ts";
import { base64, typed } from "./crdt.ts";
import { newTableInMemory } from "./engine/in-memory.ts";
import { person } from "./feature-data.ts";
import { itemsOf } from "./scan.ts";

export const plan = { organizationId: "acme", documentId: "plan" };
export const thread = { ...plan, annotationId: "annotation-1" };
export const page = { id: "page-1", locationName: "Page 1" };
export const aNote = { organizationId: "acme", userId: "alice", notificationIds: ["n", "no"] };

export interface Scene {
  name: string;
  endpoint: string;
  data: object;
  /** Calls and writes before the call. */
  before?: (as: Credentials) => Promise<unknown>;
}

const people = (name: string) => Array.from({ length: 75 }, (_, index) => person(`${name}${index}`));
const withPeople = (name: string) => ({
  ...{ ...plan, location: page },
  comments: [
    {
      annotationId: "annotation-1",
      from: person("alice"),
      comments: [{ commentId: "comment-1", from: person("bob"), taggedUsers: people(name) }],
    },
  ],
});
const update = base64(typed(["a"])[0] as Uint8Array);
const carol = person("carol");

/** In the workspace of the common tests, in which all events are wanted. */
export const scenes: Scene[] = [
  {
    name: "an update of annotations",
    endpoint: "commentannotations-update",
    data: {
      ...{ ...plan, annotationIds: ["annotation-1", "no"], actionUser: carol },
      update: { status: "DONE", assignedTo: carol, metadata: { m: 1 } },
    },
  },
  {
    name: "added comments",
    endpoint: "comments-add",
    data: {
      ...thread,
      comments: [
        { commentId: "c2", from: carol, text: "Yes.", taggedUsers: [person("dan")] },
        { commentId: "comment-1", from: carol },
      ],
    },
  },
  {
    name: "an updated comment",
    endpoint: "comments-update",
    data: { ...thread, commentId: "comment-1", text: "New", taggedUsers: [carol] },
  },
  { name: "deleted comments", endpoint: "comments-delete", data: { ...thread, commentIds: ["comment-1", "no"] } },
  {
    name: "items of a new location",
    endpoint: "documents-data-add",
    data: {
      ...{ ...plan, location: { id: "page-2" } },
      comments: [{ annotationId: "a2", from: carol, comments: [{ commentId: "1", from: person("dan") }] }],
      reactions: [
        { reactionId: "reaction-1", from: carol },
        { reactionId: "r2", from: carol },
      ],
      recordings: [{ recordingId: "v2", from: carol }],
    },
  },
  {
    name: "a thread that replaces another one",
    endpoint: "documents-data-add",
    data: withPeople("new"),
    before: (as) => send(as, "documents-data-add", withPeople("old")),
  },
  {
    name: "deleted items",
    endpoint: "documents-data-delete",
    data: { ...plan, kind: "comments", ids: ["annotation-1", "no"] },
  },
  {
    name: "deleted notifications",
    endpoint: "notifications-delete",
    data: aNote,
    before: (as) => putNotification(as, "2026-01-01T00:00:00.000Z"),
  },
  { name: "an update of an editor", endpoint: "crdt-update", data: { ...plan, editorId: "notes", update } },
  {
    name: "an update of a new editor",
    endpoint: "crdt-update",
    data: { ...plan, editorId: "new", type: "text", update },
  },
  { name: "a list of items", endpoint: "documents-data-get", data: { ...plan, kind: "comments" } },
  { name: "a list of editors", endpoint: "crdt-list", data: plan },
  { name: "deleted editors", endpoint: "crdt-delete", data: { ...plan, editorIds: ["notes", "no"] } },
];

/** A workspace for the scene, in a new table in memory. */
export async function arranged({ endpoint, before }: Pick<Scene, "endpoint" | "before">): Promise<Credentials> {
  newTableInMemory();
  const as = await furnishedWorkspace({ name: endpoint });
  await wantEvents(as);
  await before?.(as);
  return as;
}

/** Alice's notification `n`, read by her. */
export async function putNotification({ apiKey: workspace }: Credentials, at: string): Promise<void> {
  const { documentUid } = (await Document.get({ workspace, ...plan })) as Document.Document;
  const pointer = { organizationId: "acme", documentUid, at, notificationId: "n" };
  const entry = { ...pointer, workspace, userId: "alice", characters: 2 };
  await putAll([
    notificationPointerEntity.put(entry, pointer),
    inboxEntryEntity.put(entry, entry),
    readMarkEntity.put(entry, entry),
  ]);
}

/** Calls the source of an endpoint, so that a test can disturb its calls to AWS. */
export async function send(as: Credentials, name: string, data: object, key?: string) {
  const endpoint = named(name);
  const { handler } = (await import(/* @vite-ignore */ `../../${sourceOf(endpoint)}`)) as { handler: Handler };
  const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key };
  const reply = await handler(eventOf(endpoint, { as, data, headers }) as never, contextOf(name) as never);
  const { result } = JSON.parse(reply.body) as { result?: { data?: unknown } };
  return { status: reply.statusCode, data: withoutRandom(JSON.stringify(result?.data ?? null)) };
}

/** What the workspace has, and the events that wait, without times and random values. */
export async function endOf({ apiKey }: Credentials): Promise<string[]> {
  const items = (await itemsOf(apiKey)).filter(
    ({ entity }) => !/^(?:idempotent|call-count|workspace|auth-token)/.test(String(entity)),
  );
  const shown = items.map((item) => withoutRandom(textOf(item)).replaceAll(apiKey, "w"));
  // An update that is stored twice is merged once.
  return shown.filter((each, index) => !each.includes('"editor-update"') || shown.indexOf(each) === index).sort();
}

function textOf(item: Item): string {
  if (item.pk.startsWith("JOB#")) {
    const events = eventsIn(item.payload as object);
    return `${item.kind} ${item.state} ${JSON.stringify(events.map(({ type, data }) => [type, data]))}`;
  }
  // The next merge corrects the counters of an editor.
  const { rev: _rev, ttl: _ttl, usedBytes: _used, waiting: _waiting, ...fields } = item as Record<string, unknown>;
  return JSON.stringify(Object.fromEntries(Object.entries(fields).sort()));
}

const withoutRandom = (text: string) =>
  text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "uuid")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time")
    .replaceAll(/\b\d{13}\b/g, "ms");
