// Reads of an editor beside a merge. BatchGetItem is not atomic: it can read the editor before a merge switches it, and
// the parts after the merge has deleted them.
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { afterEach, expect, it, vi } from "vitest";
import * as Y from "yjs";
import { deleteAll } from "../../../../lib/dynamodb/batch-write.ts";
import * as Crdt from "../../../../lib/store/crdt/crdt.ts";
import * as CrdtContent from "../../../../lib/store/crdt/crdt-updates.ts";
import type { Command } from "../../../support/aws/intercept-store.ts";
import { add, editorOf, mergeNow, refOf, send, typed } from "../../../support/crdt.ts";
import { newDocument } from "../../../support/feature-data.ts";

afterEach(() => void vi.restoreAllMocks());

type Keys = { sk: string }[];
type Send = (this: unknown, command: Command) => Promise<{ Responses: Record<string, object[]> }>;
const prototype = DynamoDBDocumentClient.prototype as unknown as { send: Send };
const isPart = ({ sk }: Keys[number]) => sk.startsWith("STATE#");

/** Runs `between` inside the first request for parts: after the read of the editor, before that of the parts. */
function splitRead(between: () => Promise<void>): { isSplit: boolean } {
  const original = prototype.send;
  const seen = { isSplit: false };
  vi.spyOn(prototype, "send").mockImplementation(async function (this: unknown, command) {
    const [table = "", wanted] = Object.entries<{ Keys: Keys }>(command.input.RequestItems ?? {})[0] ?? [];
    if (seen.isSplit || !wanted?.Keys?.some(isPart)) return original.call(this, command);
    seen.isSplit = true;
    const of = (Keys: Keys) => {
      const Same = command.constructor as unknown as new (input: object) => Command;
      return new Same({ ...command.input, RequestItems: { [table]: { ...wanted, Keys } } });
    };
    const before = await original.call(this, of(wanted.Keys.filter((key) => !isPart(key))));
    await between();
    const after = await original.call(this, of(wanted.Keys.filter(isPart)));
    return {
      ...after,
      Responses: { [table]: [...(before.Responses[table] ?? []), ...(after.Responses[table] ?? [])] },
    };
  });
  return seen;
}

function textOf(content: CrdtContent.EditorContentAsRead | undefined): string {
  const document = new Y.Doc();
  for (const each of content?.updates ?? []) Y.applyUpdate(document, each);
  return document.getText("content").toString();
}

it("reads anew when a merge has deleted the parts meanwhile", async () => {
  const as = await newDocument();
  await add(as, { type: "text", data: "hello" });
  for (const change of typed(["a", "b"])) await send(as, change);
  const seen = splitRead(() => mergeNow(as));
  const content = await CrdtContent.read(await refOf(as));
  expect(seen.isSplit).toBe(true);
  expect(textOf(content)).toMatch(/^(?:helloab|abhello)$/);
});

it("finds nothing when the editor is deleted meanwhile, or a purge has deleted a part", async () => {
  const as = await newDocument();
  await add(as, { type: "text", data: "hello" });
  const ref = await refOf(as);
  const [editor, parts] = [await editorOf(as), Crdt.partKeys(ref, await editorOf(as))];
  await deleteAll(parts);
  expect(await CrdtContent.read(ref)).toBeUndefined();
  splitRead(() => deleteAll([Crdt.editorContentEntity.key({ ...ref, editorId: editor.editorId })]));
  expect(await CrdtContent.read(ref)).toBeUndefined();
});
