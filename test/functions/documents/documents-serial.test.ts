// Concurrent calls about one document, with random interleavings of their calls to AWS: the replies and the final state
// are those of some serial order.
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, it, vi } from "vitest";
import * as documentsAdd from "../../../functions/documents/documents-add.ts";
import * as documentsDelete from "../../../functions/documents/documents-delete.ts";
import * as documentsMigrate from "../../../functions/documents/documents-migrate.ts";
import * as documentsMigrateStatus from "../../../functions/documents/documents-migrate-status.ts";
import * as documentsUpdate from "../../../functions/documents/documents-update.ts";
import * as foldersAdd from "../../../functions/folders/folders-add.ts";
import * as organizationsAdd from "../../../functions/organizations/organizations-add.ts";
import { migrate } from "../../../functions/workers/migrate.ts";
import * as AuthToken from "../../../lib/store/access/auth-token.ts";
import * as Document from "../../../lib/store/content/document.ts";
import * as Workspace from "../../../lib/store/workspace.ts";
import { type AwsCommand, atAwsEdge } from "../../support/aws/edge.ts";
import type { Credentials } from "../../support/call.ts";
import { newTableInMemory } from "../../support/engine/in-memory.ts";
import fc from "../../support/property.ts";
import { deliver } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";
import { callSource } from "../../support/source-call.ts";

const organizationId = "o";
afterEach(() => void vi.restoreAllMocks());

interface Shown {
  /** Which document this is: the one of the beginning, or one that was added beside. */
  life: string;
  folderId: string | undefined;
  documentName: string | undefined;
  accessType: string | undefined;
}
/** By document id. */
type State = Record<string, Shown>;

interface Operation {
  /** Returns what the call replied. */
  run(as: Credentials, job: string): Promise<string>;
  /** Does the same to the state. Returns what a call would reply. */
  model(state: State): string;
}

const updating = (change: Partial<Shown>): Operation => ({
  async run(as) {
    const data = { organizationId, documents: [{ documentId: "d", ...change }] };
    const { success, code } = (await callSource(documentsUpdate, as, data)).data.d;
    return success ? "done" : code;
  },
  model(state) {
    if (!state.d) return "not-found";
    Object.assign(state.d, change);
    return "done";
  },
});

const adding = (documentId: string): Operation => ({
  async run(as) {
    const data = { organizationId, documents: [{ documentId, documentName: `added ${documentId}` }] };
    return (await callSource(documentsAdd, as, data)).data[documentId].code ?? "done";
  },
  model(state) {
    if (state[documentId]) return "already-exists";
    const documentName = `added ${documentId}`;
    state[documentId] = { life: documentName, folderId: undefined, documentName, accessType: undefined };
    return "done";
  },
});

const operations: Record<string, Operation> = {
  "move to g": updating({ folderId: "g" }),
  "move to deep": updating({ folderId: "deep" }),
  rename: updating({ documentName: "D" }),
  restrict: updating({ accessType: "restricted" }),
  "add d": adding("d"),
  "add e": adding("e"),
  delete: {
    async run(as) {
      const data = { organizationId, documentIds: ["d"] };
      return (await callSource(documentsDelete, as, data)).data.d.message;
    },
    model(state) {
      const message = state.d ? "Document deleted." : "The document does not exist.";
      delete state.d;
      return message;
    },
  },
  // The call was accepted before. This is the run of its job.
  migrate: {
    async run(as, job) {
      await deliver(migrate, [job]);
      const migrationId = (await itemsOf(as.apiKey)).find(({ entity }) => entity === "migration")?.migrationId;
      return (await callSource(documentsMigrateStatus, as, { organizationId, migrationId })).data.status;
    },
    model(state) {
      if (state.d?.life !== "first" || state.e) return "failed";
      state.e = state.d;
      delete state.d;
      return "completed";
    },
  },
};

const first = (): State => ({ d: { life: "first", folderId: "f", documentName: "A", accessType: undefined } });

/** A workspace with the document `d` in the folder `f`, whose migration to `e` is accepted. */
async function arrange(): Promise<{ as: Credentials; job: string }> {
  newTableInMemory();
  const { apiKey } = await Workspace.create({ name: "races" });
  const as = { apiKey, ...(await AuthToken.create({ workspace: apiKey })) };
  await callSource(organizationsAdd, as, { organizations: [{ organizationId }] });
  const levels = Array.from({ length: 19 }, (_, level) => `l${level}`);
  const nested = [...levels, "deep"].map((folderId, level) => ({
    folderId,
    parentFolderId: level ? `l${level - 1}` : "g",
  }));
  const folders = [{ folderId: "f" }, { folderId: "g" }, ...nested];
  await callSource(foldersAdd, as, { organizationId, folders });
  const documents = [{ documentId: "d", documentName: "A" }];
  await callSource(documentsAdd, as, { organizationId, folderId: "f", documents });
  await callSource(documentsMigrate, as, { organizationId, documentId: "d", newDocumentId: "e" });
  const job = (await itemsOf(apiKey)).find(({ kind }) => kind === "migrate");
  return { as, job: job?.id as string };
}

/** The documents as stored, after a check of all that points to them. */
async function stateOf({ apiKey }: Credentials, firstUid: string): Promise<State> {
  const items = await itemsOf(apiKey);
  const of = (entity: string) => items.filter((item) => item.entity === entity);
  const state: State = {};
  for (const { documentId, documentUid, ancestors, documentName, accessType } of of("document")) {
    const name = documentName as string;
    const life = documentUid === firstUid ? "first" : `added ${documentId}`;
    state[documentId as string] = {
      life,
      folderId: (ancestors as string[])[0],
      documentName: name,
      accessType: accessType as undefined,
    };
  }
  const entries = of("folder-child").filter(({ kind }) => kind === "document");
  const placed = entries.map(({ pk, childId }) => [childId, pk.split("#C#")[1] || undefined]);
  expect(placed.toSorted()).toEqual(
    Object.entries(state)
      .map(([id, { folderId }]) => [id, folderId])
      .toSorted(),
  );
  const located = of("document-locator").map(({ pk }) => pk.split("#DOC#")[1]);
  expect(located.toSorted()).toEqual(Object.keys(state).toSorted());
  return state;
}

function* orders<T>(all: readonly T[]): Generator<T[]> {
  if (all.length === 0) yield [];
  for (const [index, one] of all.entries()) {
    for (const rest of orders(all.toSpliced(index, 1))) yield [one, ...rest];
  }
}

/** Whether the operations in some order give these replies and this state. */
function isSerial(names: readonly string[], replies: ReadonlyMap<string, string>, end: State): boolean {
  for (const order of orders(names)) {
    const state = first();
    if (!order.every((name) => operations[name]?.model(state) === replies.get(name))) continue;
    if (JSON.stringify(Object.entries(state).toSorted()) === JSON.stringify(Object.entries(end).toSorted()))
      return true;
  }
  return false;
}

it("the result of concurrent moves, updates, deletions, additions and a migration is that of a serial order", async () => {
  const some = fc.uniqueArray(fc.constantFrom(...Object.keys(operations)), { minLength: 2, maxLength: 5 });
  const turns = fc.infiniteStream(fc.nat({ max: 6 }));
  await fc.assert(
    fc.asyncProperty(some, turns, async (names, waits) => {
      const { as, job } = await arrange();
      const ref = { workspace: as.apiKey, organizationId, documentId: "d" };
      const { documentUid } = (await Document.get(ref)) as Document.Document;
      atAwsEdge(async ({ constructor: { name } }: AwsCommand, call) => {
        if (name === "SendMessageBatchCommand") return {};
        for (let left = waits.next().value as number; left > 0; left--) await nextTurn();
        return call();
      });
      const all = names.map(async (name) => [name, await operations[name]?.run(as, job)] as const);
      const replies = new Map((await Promise.all(all)) as [string, string][]);
      vi.restoreAllMocks();
      const end = await stateOf(as, documentUid);
      expect(isSerial(names, replies, end), JSON.stringify([[...replies], end])).toBe(true);
    }),
    { numRuns: 120 },
  );
});
