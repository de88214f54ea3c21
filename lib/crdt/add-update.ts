// Adds an update to an editor: reserves its bytes, then stores it as an item of its own (DECISIONS.md#crdt-updates).
import { inFlightSeconds, notedSteps } from "../call.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import type { Write } from "../dynamodb/write.ts";
import { ApiError, beyondLimit, notFound } from "../errors.ts";
import { type Consequences, commit, commitEach } from "../jobs/commit.ts";
import { type DomainEvent, isWanted } from "../jobs/outbox.ts";
import { wake } from "../jobs/wake.ts";
import type { EditorType } from "../schema/crdt.ts";
import * as Crdt from "../store/crdt/crdt.ts";
import * as Updates from "../store/crdt/crdt-updates.ts";
import type { DocumentRef } from "../store/refs.ts";
import { mergeJob, mustWake } from "./merge-job.ts";
import { contentKeyDefault, isEmpty } from "./updates.ts";

/** The noted step of a call with an Idempotency-Key: the update is stored. Its outcome is the generation. */
const stepName = "update";

type Ref = Crdt.EditorRef & DocumentRef;

interface Sent {
  update: Uint8Array;
  type?: EditorType | undefined;
  contentKey?: string | undefined;
  generation?: string | undefined;
}

/** Returns the generation of the editor. */
export async function addUpdate(ref: Ref, sent: Sent): Promise<string> {
  const noted = (await notedSteps()).get(stepName);
  if (noted !== undefined) return noted;
  return retryOnConflict("editor", async () => {
    if (isEmpty(sent.update)) {
      const stored = await Crdt.get(ref);
      if (stored) refuse(stored, sent);
      return stored ? stored.generation : create(ref, sent);
    }
    const bytes = sent.update.byteLength;
    const editor = await Updates.reserve(ref, bytes, expectedOf(sent));
    if (editor) {
      await store(ref, editor, sent.update);
      if (mustWake(editor, bytes)) await wake([mergeJob(lifeOf(ref, editor))]);
      return editor.generation;
    }
    const stored = await Crdt.get(ref);
    if (!stored) return create(ref, sent);
    refuse(stored, sent);
    if (stored.usedBytes + bytes <= Updates.editorBytesMax) return conflict;
    // Merged updates take less room. An earlier merge job can have failed.
    const canShrink = stored.waiting > 0;
    if (canShrink) await wake([mergeJob(lifeOf(ref, stored))]);
    throw beyondLimit("The content of the editor would exceed 3.5 MB.", canShrink ? 5 : undefined);
  });
}

const lifeOf = (ref: Ref, editor: Crdt.Editor) => ({ ...ref, generation: editor.generation });

const expectedOf = ({ type, contentKey, generation }: Sent) => ({
  ...(type && { type }),
  ...(contentKey && { contentKey }),
  ...(generation && { generation }),
});

function refuse(editor: Crdt.Editor, { type, contentKey, generation }: Sent): void {
  const failed = (message: string) => new ApiError("FAILED_PRECONDITION", message);
  if (generation && generation !== editor.generation) {
    throw failed(
      "The editor was deleted and added again. Drop what you have not sent, and load the content into a new Y.Doc.",
    );
  }
  if (type && type !== editor.type) throw failed(`The editor has the type ${editor.type}.`);
  if (contentKey && contentKey !== editor.contentKey) throw failed("The editor has another contentKey.");
}

/** Adds an empty editor, if the caller states its type. */
async function create(ref: Ref, { type, contentKey = contentKeyDefault, generation }: Sent): Promise<typeof conflict> {
  if (!type || generation) throw notFound("editor");
  await commit(Crdt.creation(ref, { type, contentKey }), {
    events: [eventOf(ref, "crdt.add", { type, contentKey })],
  });
  return conflict;
}

const eventOf = (ref: Ref, type: DomainEvent["type"], more: object): DomainEvent => {
  const { workspace, organizationId, documentId, editorId } = ref;
  return { type, workspace, organizationId, documentId, data: { editorId, ...more } };
};

/** How long after an event further changes cause no event. Twice the time after which all calls of now have ended. */
const quietMs = 2 * inFlightSeconds * 1_000;

/** Stores the update. Once in a minute, an event is in the same transaction. */
async function store(ref: Ref, editor: Crdt.Editor, update: Uint8Array): Promise<void> {
  const appending = Updates.appending(lifeOf(ref, editor), update);
  // The call ends before `until`: a client that reads the content after `until` gets the update too.
  const isCovered = Date.now() + inFlightSeconds * 1_000 < (editor.eventUntil ?? 0);
  if (!isCovered && (await isWanted("crdt.update"))) {
    const until = Date.now() + quietMs;
    const event = eventOf(ref, "crdt.update", { until: new Date(until).toISOString() });
    if (await commitStep([appending, Updates.quieting(ref, editor, until)], { events: [event] })) return;
  }
  const heard: DomainEvent = { ...eventOf(ref, "crdt.update", {}), isOnlyLive: true };
  await commitStep([appending], { events: [heard] });

  async function commitStep(writes: Write[], consequences: Consequences = {}): Promise<boolean> {
    const step = { name: stepName, outcome: editor.generation };
    const [isWritten] = await commitEach([{ writes, step }], () => consequences);
    return isWritten === true;
  }
}
