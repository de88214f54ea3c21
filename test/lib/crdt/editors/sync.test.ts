// The module infra/examples/sync.mjs, with Yjs alone.
import { expect, it } from "vitest";
import * as Y from "yjs";
import { crdtDelete } from "../../../../functions/editor-content/crdt-delete.ts";
import { must } from "../../../support/call.ts";
import { add, at, textOf } from "../../../support/crdt.ts";
import { syncOf } from "../../../support/editors/shown.ts";
import { newDocument } from "../../../support/feature-data.ts";
import { organizationId } from "../../../support/workspace.ts";

async function withText(data: string) {
  const as = await newDocument();
  await add(as, { type: "text", data, contentKey: "content" });
  const doc = new Y.Doc();
  return { as, doc, text: doc.getText("content"), client: await syncOf(as, doc) };
}

it("sends large changes in several updates", async () => {
  const { as, text, client } = await withText("");
  await client.load();
  for (const letter of ["a", "b", "c"]) text.insert(text.length, letter.repeat(200 * 1_024));
  await client.send();
  expect((await textOf(as)).length).toBe(3 * 200 * 1_024);
});

it("joins nothing of an editor that was deleted with the one that was added again", async () => {
  const { as, text, client } = await withText("old");
  await client.load();
  const { documentId, editorId } = at;
  await must(crdtDelete, { as, data: { organizationId, documentId, editorIds: [editorId] } });
  await add(as, { type: "text", data: "new", contentKey: "content" });
  text.insert(0, "typed ");
  await expect(client.send()).rejects.toThrow();
  await expect(client.load()).rejects.toThrow("Begin with a new Y.Doc");
  expect(text.toString()).toBe("typed old");
  await expect(client.send()).rejects.toThrow();
  expect(await textOf(as)).toBe("new");
});
