// What a merge does when others change the editor beside it.
import { afterEach, describe, expect, it, vi } from "vitest";
import { merge } from "../../../functions/workers/merge.ts";
import { mergeEditor } from "../../../lib/crdt/merge-editor.ts";
import { mergeJob } from "../../../lib/crdt/merge-job.ts";
import { writeAll } from "../../../lib/dynamodb/write-each.ts";
import * as JobStore from "../../../lib/jobs/store.ts";
import { wake } from "../../../lib/jobs/wake.ts";
import * as Updates from "../../../lib/store/crdt/crdt-updates.ts";
import { interceptStore } from "../../support/aws/intercept-store.ts";
import type { Credentials } from "../../support/call.ts";
import { add, editorOf, mergeAgain, mergeNow, refOf, send, textOf, typed } from "../../support/crdt.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { newDocument } from "../../support/feature-data.ts";
import { receive } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";

fakeDates();
afterEach(() => void vi.restoreAllMocks());

async function withText(data = ""): Promise<Credentials> {
  const as = await newDocument();
  await add(as, { type: "text", data });
  return as;
}

const jobOf = async (as: Credentials) =>
  mergeJob({ ...(await refOf(as)), generation: (await editorOf(as)).generation });

const updatesOf = async ({ apiKey }: Credentials) =>
  (await itemsOf(apiKey)).filter(({ entity }) => entity === "editor-update").length;

/** Runs `work` once, after the merge has switched the editor. */
function afterSwitch(work: () => Promise<unknown>): { isOver: boolean } {
  const seen = { isOver: false };
  interceptStore(
    () => {},
    async ({ constructor: { name }, input }) => {
      const names = Object.values(input.ExpressionAttributeNames ?? {});
      if (seen.isOver || name !== "UpdateCommand" || !names.includes("sizeBytes")) return;
      seen.isOver = true;
      await work();
    },
  );
  return seen;
}

/** As a call that dies after its reservation. */
const reserve = async (as: Credentials, bytes: number) => Updates.reserve(await refOf(as), bytes, {});

describe("a merge that is woken while it runs", () => {
  it("merges the updates for which it was woken", async () => {
    const as = await withText();
    const changes = typed(Array.from({ length: 530 }, () => "a"));
    for (const change of changes.slice(0, 256)) await send(as, change);
    const job = await jobOf(as);
    const seen = afterSwitch(async () => {
      for (const change of changes.slice(256, 526)) await send(as, change);
    });
    await receive(merge, [job.id]);
    vi.restoreAllMocks();
    expect(seen.isOver).toBe(true);
    for (const change of changes.slice(526)) await send(as, change);
    await receive(merge, [job.id]);
    expect(await updatesOf(as)).toBe(0);
    expect(await textOf(as)).toBe("a".repeat(530));
  });

  it("keeps reservations of calls that run", async () => {
    const as = await withText();
    for (const change of typed(["a", "b", "c"])) await send(as, change);
    const seen = afterSwitch(async () => {
      await reserve(as, 300_000);
      await wake([await jobOf(as)]);
    });
    await mergeNow(as);
    vi.restoreAllMocks();
    expect(seen.isOver).toBe(true);
    const before = await editorOf(as);
    expect(before.usedBytes).toBeGreaterThan(300_000);
    await mergeAgain(as);
    expect(await editorOf(as)).toEqual(before);
  });
});

describe("what calls reserved before they died", () => {
  it.each([
    ["is not in use", 61],
    ["wakes the merge every 5 seconds, as a full one", 5],
  ])("is free after a minute in an editor that %s", async (_, seconds) => {
    const as = await withText("text");
    await reserve(as, 1_000_000);
    await mergeNow(as);
    for (let passed = seconds; passed < 61; passed += seconds) {
      expect((await editorOf(as)).usedBytes).toBeGreaterThan(1_000_000);
      later(seconds);
      await mergeNow(as);
    }
    later(seconds);
    await mergeAgain(as);
    const { sizeBytes } = await editorOf(as);
    expect(await editorOf(as)).toMatchObject({ usedBytes: sizeBytes, waiting: 0 });
  });

  it("is counted off without a merge when few updates wait", async () => {
    const as = await withText("text");
    const [first, second] = typed(["a", "b"]) as [Uint8Array, Uint8Array];
    const { base: before } = await editorOf(as);
    await send(as, first);
    const seen = afterSwitch(async () => {
      await reserve(as, 100_000);
      await send(as, second);
    });
    await mergeNow(as);
    vi.restoreAllMocks();
    const { base, sizeBytes } = await editorOf(as);
    expect([seen.isOver, base === before]).toEqual([true, false]);
    later(61);
    await mergeAgain(as);
    const stored = { usedBytes: Number(sizeBytes) + second.byteLength, waiting: 1 };
    expect(await editorOf(as)).toMatchObject({ base, ...stored });
    expect((await JobStore.get((await jobOf(as)).id))?.state).toBe("done");
  });
});

it("removes what calls have stored after the end of the editor's generation, and goes on when its time is over", async () => {
  const life = { ...(await refOf(await withText())), generation: "former" };
  const late = typed(["late"])[0] as Uint8Array;
  await writeAll([Updates.appending(life, late)]);
  const job = mergeJob(life);
  expect(await mergeEditor(job, Date.now() - 1)).toMatchObject({ again: { delaySeconds: 0 } });
  expect(await mergeEditor(job, Date.now() + 60_000)).toBe("done");
  expect(await Updates.all(life)).toEqual([]);
});

it("leaves an editor that is in use to the next merge, a minute after a merge", async () => {
  const as = await withText("text");
  const changes = typed(["a", "b", "c"]);
  await send(as, changes[0] as Uint8Array);
  const seen = afterSwitch(() => send(as, changes[1] as Uint8Array));
  await mergeNow(as);
  vi.restoreAllMocks();
  later(61);
  await send(as, changes[2] as Uint8Array);
  const before = await editorOf(as);
  await mergeAgain(as);
  expect(seen.isOver).toBe(true);
  expect(await editorOf(as)).toEqual(before);
  expect((await JobStore.get((await jobOf(as)).id))?.state).toBe("done");
});

it("changes nothing that a reader sees when it continues after its lease, beside a later merge", async () => {
  const as = await withText();
  const changes = typed([..."abcd"]) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  await send(as, changes[0]);
  const job = { ...(await jobOf(as)), attempts: 1 };
  let queries = 0;
  interceptStore(async ({ constructor: { name } }) => {
    // The first query of the late run, after it has read the editor.
    if (name !== "QueryCommand" || queries++ > 0) return;
    await mergeNow(as);
    for (const change of changes.slice(1, 3)) await send(as, change);
    await mergeNow(as);
  });
  const result = await mergeEditor(job, Date.now() + 60_000);
  vi.restoreAllMocks();
  expect(result).not.toBe("done");
  expect(await textOf(as)).toBe("abc");
  await send(as, changes[3]);
  await mergeNow(as);
  expect(await textOf(as)).toBe("abcd");
});
