// Random structures that are deleted, added again under the same ids and purged at any time, against a model that says
// what must be in the table: that and nothing else is.
import fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { purge } from "../../../functions/workers/purge.ts";
import { purgeJob } from "../../../lib/deletion/purge.ts";
import type { Item } from "../../../lib/dynamodb/table.ts";
import { commit, commitEach } from "../../../lib/jobs/commit.ts";
import * as Job from "../../../lib/jobs/store.ts";
import { dataKeys } from "../../../lib/store/data-keys.ts";
import * as Document from "../../../lib/store/document.ts";
import { keys } from "../../../lib/store/keys.ts";
import { deliver } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";

const organizationId = "o";
const at = "2026-01-01T00:00:00.000Z";
const users = ["u", "v#", "🦜"];

const id = fc.constantFrom("a", "b#1");
const index = fc.nat(2);
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant("add" as const), id }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const), id }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("write" as const), id, kind: fc.nat(4), a: index, b: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("purge" as const) }) },
);

/** Items that one write to a document adds: of a location and its features, of a notification, of a user. */
function written(...at: Parameters<typeof piecesOf>): Item[] {
  return piecesOf(...at).map((piece) => ({ ...piece }));
}

function piecesOf(w: string, uid: string, kind: number, a: number, b: number) {
  const [user = "", luid, other] = [users[a], `${uid}-l${b}`, `${uid}-l${(b + 1) % 3}`];
  if (kind === 0) return [{ ...keys.documentGrant(w, uid, user), userId: user }, dataKeys.presence(w, uid, user)];
  if (kind === 1) return [dataKeys.crdt(w, uid, user), dataKeys.crdtPart(w, uid, user, b)];
  if (kind === 2)
    return [
      dataKeys.locationNode(w, uid, luid),
      dataKeys.locationNode(w, uid, other),
      dataKeys.merged(w, uid, luid, other),
    ];
  if (kind === 3) {
    const historySk = dataKeys.participationSk(at, luid, user);
    const links = { organizationId, participants: users, historySk };
    return [
      dataKeys.locationNode(w, uid, luid),
      { ...dataKeys.feature(w, uid, luid, "comments", user), ...links },
      ...users.map((each) => dataKeys.participation(w, organizationId, each, "comments", historySk)),
    ];
  }
  const note = { organizationId, notificationId: `${uid}-${user}`, at };
  return [
    { ...dataKeys.notification(w, uid, at, note.notificationId), ...note },
    { ...dataKeys.notificationName(w, organizationId, note.notificationId), uid },
    { ...dataKeys.recipients(w, uid, note.notificationId, String(b)), ...note, userIds: users },
    ...users.map((each) => dataKeys.userNotification(w, organizationId, each, at, note.notificationId)),
  ];
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const nameOf = ({ pk, sk }: { pk: string; sk: string }) => `${pk} ${sk}`;

async function runPurges(ids: string[], passes: number): Promise<void> {
  for (let pass = 0; pass < passes; pass++) {
    await deliver(purge, ids);
    vi.setSystemTime(Date.now() + 60_000);
  }
}

it("leaves nothing of what was deleted, and all of what was added again", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const w = `purge-${crypto.randomUUID()}`;
      const live = new Map<string, { document: Document.Document; items: Set<string> }>();
      const purges: string[] = [];
      for (const [count, each] of steps.entries()) {
        if (each.do === "purge") await runPurges(purges, 1);
        if (each.do === "purge") continue;
        const known = live.get(each.id);
        if (each.do === "add" && !known) {
          const document = { documentId: each.id, uid: `uid${count}`, ancestors: [], createdAt: at };
          const writes = Document.creation(w, organizationId, document, undefined);
          expect(await commit(writes)).toBe(true);
          live.set(each.id, {
            document,
            items: new Set(writes.flatMap((write) => ("put" in write ? nameOf(write.put) : []))),
          });
        }
        if (each.do === "write" && known) {
          const items = written(w, known.document.uid, each.kind, each.a, each.b);
          await commitEach(items.map((item) => ({ writes: [{ put: item }] })));
          for (const item of items) known.items.add(nameOf(item));
        }
        if (each.do === "remove" && known) {
          const job = purgeJob(w, [keys.documentData(w, known.document.uid)]);
          await commit(Document.removal(w, organizationId, known.document), { jobs: [job] });
          live.delete(each.id);
          purges.push(job.id);
        }
      }
      await runPurges(purges, 3);
      for (const job of purges) expect(await Job.get(job)).toMatchObject({ state: "done" });
      const left = (await itemsOf(w)).filter(({ pk }) => !pk.startsWith("JOB#")).map(nameOf);
      expect(left.sort()).toEqual([...live.values()].flatMap(({ items }) => [...items]).sort());
    }),
    { numRuns: 15 },
  );
});

it("starts a minute after the deletion, or when the deployment says", () => {
  for (const [said, seconds] of [
    [undefined, 60],
    ["5", 5],
  ] as const) {
    vi.stubEnv("PURGE_START_SECONDS", said);
    expect(purgeJob("w", []).dueAt).toBe(Date.now() + seconds * 1_000);
  }
  vi.unstubAllEnvs();
});
