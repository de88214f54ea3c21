// Tells the pages that listen what has changed (DECISIONS.md#live). Without such a page, it makes no request.
import { callSignal, measure } from "../call.ts";
import { chunks, inParallel } from "../concurrency.ts";
import { config } from "../config.ts";
import { log } from "../log.ts";
import type { EventType } from "../schema/events.ts";
import { heardOf, type LiveKind, type LiveMessage } from "../schema/live.ts";
import { isListened, type Listened, listenedDocument, reserve } from "../store/listening.ts";
import type { DocumentDataRef, UserLifeRef, WorkspaceRef } from "../store/refs.ts";
import { eventsPerRequest, publish } from "./appsync.ts";
import { type LiveKeys, loadKeys } from "./keys.ts";
import { publishedNames, type Subject } from "./names.ts";

/** What has changed, as its event says it. */
export interface Change {
  type: EventType;
  workspace: string;
  organizationId: string;
  documentId?: string | undefined;
  data: object;
}

/** A page reads more by one request for all than by ids. */
const idsMax = 20;
const messageBytesMax = 1_000;
/** A call waits so long for the engine. */
const publishMs = 300;
const requestsInFlight = 20;

interface Sending {
  namespace: "doc" | "user";
  subject: Subject;
  messages: LiveMessage[];
}

/**
 * Reserves the numbers of the messages about changes that are written next. Returns what sends the messages when the
 * changes are written; undefined if there is none. If the changes are not written, pages miss the numbers, and read again.
 */
export async function announcing(changes: readonly Change[]): Promise<(() => Promise<void>) | undefined> {
  const found = changes.flatMap((change) => heard(change));
  const [first] = found;
  if (!first) return undefined;
  const groups = [...Map.groupBy(found, ({ document }) => document.documentUid).values()];
  const [keys, ...sendings] = await Promise.all([loadKeys(first.document), ...groups.map(numbered)]);
  return () => deliver(keys, sendings);
}

interface Heard {
  document: DocumentDataRef;
  kind: LiveKind;
  ids: readonly string[];
}

function heard({ documentId, ...change }: Change): Heard[] {
  if (documentId === undefined || config.liveHttpUrl() === undefined) return [];
  const document = listenedDocument({ ...change, documentId });
  const what = document && heardOf(change);
  return document && what ? [{ document, ...what }] : [];
}

/** The messages about one document: one for each kind of change. */
async function numbered(group: readonly Heard[]): Promise<Sending> {
  const { document } = group[0] as Heard;
  const kinds = [...Map.groupBy(group, ({ kind }) => kind)];
  const last = await reserve(document, kinds.length);
  const messages = kinds.map(([kind, some], index) => {
    // One change without ids stands for all of its kind.
    const ids = some.every((each) => each.ids.length > 0) ? some.flatMap((each) => each.ids) : [];
    return messageOf({ seq: last - kinds.length + 1 + index, kind }, ids);
  });
  return { namespace: "doc", subject: document, messages };
}

function messageOf(head: Omit<LiveMessage, "v" | "ids">, given: readonly string[]): LiveMessage {
  const ids = [...new Set(given)];
  const message: LiveMessage = { v: 1, ...head, ids };
  const fits = ids.length <= idsMax && Buffer.byteLength(JSON.stringify(message)) <= messageBytesMax;
  return ids.length > 0 && fits ? message : { v: 1, ...head };
}

/**
 * Tells those of these users whose pages listen that notifications have changed. Without ids, all may have. It never
 * fails: the changes are written.
 */
export async function tellUsers(
  { workspace }: WorkspaceRef,
  users: readonly (Omit<UserLifeRef, "workspace"> & Listened)[],
  ids: readonly string[],
): Promise<void> {
  const listening = config.liveHttpUrl() === undefined ? [] : users.filter(isListened);
  if (listening.length === 0) return;
  const messages = [messageOf({ kind: "notifications" }, ids)];
  const sendings = listening.map((subject): Sending => ({ namespace: "user", subject, messages }));
  await tell({ workspace }, sendings);
}

/** Has the pages that listen to these documents read everything again. */
export async function tellDocuments(
  { workspace }: WorkspaceRef,
  documents: readonly (Pick<DocumentDataRef, "documentUid"> & Listened)[],
): Promise<void> {
  const listening = config.liveHttpUrl() === undefined ? [] : documents.filter(isListened);
  if (listening.length === 0) return;
  const groups = listening.map(({ documentUid }) => [{ ...all, document: { workspace, documentUid } }]);
  await tell({ workspace }, await Promise.all(groups.map(numbered)));
}

const all = { kind: "document", ids: [] } as const satisfies Partial<Heard>;

const tell = async (workspace: WorkspaceRef, sendings: readonly Sending[]) =>
  deliver(await loadKeys(workspace).catch((cause: unknown) => tellUnsent([cause])), sendings);

/** Never fails: the changes are written. */
async function deliver(keys: LiveKeys | undefined, sendings: readonly Sending[]): Promise<void> {
  if (!keys) return;
  const requests = sendings.flatMap(({ namespace, subject, messages }) =>
    publishedNames(keys, subject, Date.now()).flatMap((name) =>
      chunks(messages, eventsPerRequest).map((some) => ({ channel: `${namespace}/${name}`, some })),
    ),
  );
  const signal = AbortSignal.any([AbortSignal.timeout(publishMs * config.slowness()), callSignal() ?? []].flat());
  const failures: unknown[] = [];
  await inParallel(requests, requestsInFlight, async ({ channel, some }) => {
    const texts = some.map((each) => JSON.stringify(each));
    await publish(channel, texts, signal).catch((cause: unknown) => failures.push(cause));
  });
  measure("liveRequests", requests.length);
  if (failures.length > 0) tellUnsent(failures);
}

function tellUnsent(failures: readonly unknown[]): undefined {
  measure("liveFailures", failures.length);
  log("warn", "Live messages were not sent.", { count: failures.length, cause: failures[0] });
}
