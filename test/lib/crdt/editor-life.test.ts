// The content and the counters of an editor after random changes, repeats, merges and deletions, each of which can end at
// any request to the table.
import { afterEach, expect, it, vi } from "vitest";
import * as Y from "yjs";
import { crdtDelete } from "../../../functions/editor-content/crdt-delete.ts";
import { mergeJob } from "../../../lib/crdt/merge-job.ts";
import * as JobStore from "../../../lib/jobs/store.ts";
import * as Crdt from "../../../lib/store/crdt/crdt.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import { type Credentials, call } from "../../support/call.ts";
import { add, at, editorOf, loaded, mergeAgain, mergeNow, read, refOf, send, updatesOf } from "../../support/crdt.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { newDocument } from "../../support/feature-data.ts";
import fc from "../../support/property.ts";
import { itemsOf } from "../../support/scan.ts";

fakeDates();
afterEach(() => void vi.restoreAllMocks());

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom("send", "send", "send", "send", "repeat", "merge", "merge", "wait", "delete"),
    client: fc.nat(2),
    size: fc.integer({ min: 1, max: 3_000 }),
    /** The request that fails, and whether the table has done it. If not, all later ones of the step fail too. */
    fault: fc.option(fc.record({ at: fc.nat(7), isDone: fc.boolean() })),
  }),
  { minLength: 5, maxLength: 20 },
);
type Step = { kind: string; client: number; size: number; fault: { at: number; isDone: boolean } | null };

/** A client of the editor. It sends what failed again, with its next change. */
function newClient() {
  const document = new Y.Doc();
  const unsent = updatesOf(document);
  return { text: document.getText("content"), unsent };
}

const threeClients = () => [newClient(), newClient(), newClient()];

class Life {
  clients = threeClients();
  accepted: Uint8Array[] = [];
  readonly as: Credentials;

  constructor(as: Credentials) {
    this.as = as;
  }

  async run({ kind, client: index, size }: Step): Promise<void> {
    const client = this.clients[index] as ReturnType<typeof newClient>;
    if (kind === "send") {
      client.text.insert(0, "a".repeat(size));
      if (size % 3 === 0) client.text.delete(0, Math.floor(size / 2));
      await this.send(Y.mergeUpdates(client.unsent), client.unsent);
    }
    if (kind === "repeat" && this.accepted.length > 0) await this.send(this.accepted[size % this.accepted.length]);
    if (kind === "merge") await mergeNow(this.as).catch(() => {});
    if (kind === "wait") later(61);
    if (kind === "delete") await call(crdtDelete, { as: this.as, data: { ...at, editorIds: ["e"] } });
  }

  async send(update: Uint8Array = new Uint8Array(), unsent: Uint8Array[] = []): Promise<void> {
    const sent = unsent.length;
    if ((await send(this.as, update)).status !== 200) return;
    unsent.splice(0, sent);
    this.accepted.push(update);
  }

  /** After a deletion, an editor is added again, and the clients begin anew. */
  async addAgain(): Promise<void> {
    if (await Crdt.get(await refOf(this.as))) return;
    await add(this.as, { type: "text", data: "" });
    this.clients = threeClients();
    this.accepted = [];
  }

  /** All that was accepted is in the content. */
  async check(): Promise<void> {
    const { update, data } = await read(this.as);
    const document = loaded(update);
    const before = Y.encodeStateAsUpdate(document);
    for (const each of this.accepted) Y.applyUpdate(document, each);
    expect(Buffer.from(Y.encodeStateAsUpdate(document)).equals(before)).toBe(true);
    expect(document.getText("content").toString()).toBe(data);
    const { sizeBytes = 0, usedBytes = 0, waiting = 0 } = await editorOf(this.as);
    expect(usedBytes).toBeGreaterThanOrEqual(sizeBytes);
    expect(waiting).toBeGreaterThanOrEqual(0);
  }
}

function fail({ fault }: Step): void {
  let requests = 0;
  const end = () => {
    throw new Error("The process died.");
  };
  interceptStore(
    () => fault?.at === requests && !fault.isDone && end(),
    () => fault?.at === requests++ && end(),
  );
}

/** Runs the merge until its job is done, twice: a job that waits already can be one that only corrects the counters. */
async function settle(as: Credentials): Promise<void> {
  await mergeUntilDone(as);
  await mergeUntilDone(as);
}

async function mergeUntilDone(as: Credentials): Promise<void> {
  later(700);
  await mergeNow(as);
  const { id } = mergeJob({ ...(await refOf(as)), generation: (await editorOf(as)).generation });
  for (let run = 0; (await JobStore.get(id))?.state !== "done"; run++) {
    expect(run).toBeLessThan(5);
    later(700);
    await mergeAgain(as);
  }
}

it("loses no accepted update, and counts exactly what is stored in the end", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const as = await newDocument();
      const life = new Life(as);
      await life.addAgain();
      for (const step of all) {
        fail(step);
        await life.run(step);
        vi.restoreAllMocks();
        await life.addAgain();
        await life.check();
      }
      await settle(as);
      await life.check();
      const editor = await editorOf(as);
      const { pk } = Crdt.editorStatePartEntity.key({
        ...(await refOf(as)),
        generation: editor.generation,
        base: editor.base,
        part: 0,
      });
      const stored = (await itemsOf(as.apiKey)).filter((item) => item.pk === pk);
      expect(stored.map(({ entity }) => entity)).toEqual(stored.map(() => "editor-state-part"));
      const sizeBytes = stored.reduce((sum, { state }) => sum + (state as Uint8Array).byteLength, 0);
      expect(editor).toMatchObject({ sizeBytes, usedBytes: sizeBytes, waiting: 0, partCount: stored.length });
    }),
    { numRuns: 10 },
  );
});
