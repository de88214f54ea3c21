import { afterEach, expect, it, vi } from "vitest";
import { knowledgeDelete } from "../../../../functions/memory/knowledge-delete.ts";
import * as Knowledge from "../../../../lib/store/ai/knowledge.ts";
import { interceptStore } from "../../../support/aws/intercept-store.ts";
import { must, newWorkspace } from "../../../support/call.ts";
import { itemsOf } from "../../../support/scan.ts";

afterEach(() => void vi.restoreAllMocks());

it("Knowledge.add leaves no chunk of a source that is deleted and added again during the call", async () => {
  const as = await newWorkspace();
  const ref = { workspace: as.apiKey };
  const source = { sourceId: "s", mimeType: "text/plain" };
  let isRaced = false;
  interceptStore(async ({ constructor: { name } }) => {
    if (name !== "BatchWriteCommand" || isRaced) return;
    isRaced = true;
    await must(knowledgeDelete, { as, data: { sourceIds: ["s"] } });
    await Knowledge.add(ref, { ...source, sourceUid: "new" }, ["One line."]);
  });
  await Knowledge.add(ref, { ...source, sourceUid: "old" }, ["x".repeat(1_200), "y".repeat(1_200)]);
  expect(isRaced).toBe(true);
  const chunks = (await itemsOf(ref.workspace)).filter(({ entity }) => entity === Knowledge.chunkEntity.name);
  expect(chunks.map(({ pk }) => pk)).toEqual([Knowledge.chunkEntity.partition({ ...ref, sourceUid: "new" })]);
  const sources = (await Knowledge.listed(ref, 1)).sources;
  expect(sources).toMatchObject([{ sourceUid: "new", chunkCount: 1 }]);
});
