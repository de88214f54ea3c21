// Each fault at each call of the worker that merges updates: all updates count, and only one content is stored.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as Y from "yjs";
import { merge } from "../../lib/crdt/updates.ts";
import * as CrdtContent from "../../lib/store/crdt/crdt-updates.ts";
import type { DocumentUid } from "../../lib/store/refs.ts";
import { atEveryCall, endAfter, faults } from "../support/aws/faults.ts";
import { itemsOf } from "../support/scan.ts";
import * as scenes from "./scenes.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

async function textOf(workspace: string): Promise<string | undefined> {
  const content = await CrdtContent.read({ workspace, documentUid: "x" as DocumentUid, editorId: "e" });
  const document = new Y.Doc();
  if (content) Y.applyUpdate(document, merge(content.updates));
  return content && document.getText("content").toString();
}

/** The editor's items, without ids and times, and the state of its job. */
async function endOf(workspace: string) {
  const items = (await itemsOf(workspace)).filter(({ entity }) => /^(?:editor-|job)/.test(String(entity)));
  return items
    .map(({ entity, state, kind, partCount, sizeBytes, usedBytes, waiting }) =>
      entity === "job" ? { kind, state } : { entity, partCount, isExact: usedBytes === sizeBytes, waiting },
    )
    .map((each) => JSON.stringify(each))
    .sort();
}

describe("the updates of an editor", () => {
  const [scene, characters] = [scenes.updates(400_000), 400_000];

  it.each(faults)("are merged once: %s", async (fault) => {
    const expected = await endOf((await endAfter(scene)).workspace);
    const calls = await atEveryCall(scene, fault, async (workspace, what) => {
      const text = await textOf(workspace);
      expect([text?.length, text?.replaceAll("x", "")], what).toEqual([characters + 3, "abc"]);
      expect(await endOf(workspace), what).toEqual(expected);
    });
    expect(calls).toBeGreaterThan(8);
  });
});
