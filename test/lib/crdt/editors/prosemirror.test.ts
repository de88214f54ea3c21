// ProseMirror with its basic schema loads what crdt/add stores, changes it and sends it, and another one loads it.
import { schema } from "prosemirror-schema-basic";
import { EditorState } from "prosemirror-state";
import { expect, it } from "vitest";
import { ySyncPlugin } from "y-prosemirror";
import type * as Y from "yjs";
import { openDom } from "../../../support/editors/dom.ts";
import { roundTrip } from "../../../support/editors/round-trip.ts";
import { prosemirrorXml } from "../../../support/editors/shown.ts";
import { newDocument } from "../../../support/feature-data.ts";

const { place } = openDom();
const { EditorView } = await import("prosemirror-view");

function open(doc: Y.Doc, contentKey: string) {
  const plugins = [ySyncPlugin(doc.getXmlFragment(contentKey))];
  const view = new EditorView(place(), { state: EditorState.create({ schema, plugins }) });
  return { view, shown: () => view.state.doc.toString() };
}

it("keeps headings, quotes, code, marks, rules and line breaks", async () => {
  const { strong } = schema.marks;
  const data = await roundTrip(await newDocument(), {
    content: { type: "xml", data: prosemirrorXml, contentKey: "prosemirror" },
    open,
    expected:
      'doc(heading("Plan"), paragraph("Hello, ", strong("world"), " and ", em("all"), "!", hard_break, "Next"), ' +
      'blockquote(paragraph(code("a < b"))), code_block("let a = 1;"), horizontal_rule)',
    edit({ view }) {
      view.dispatch(view.state.tr.insertText("The ", 1).addMark(1, 4, strong.create()));
    },
    editByOther({ view }) {
      view.dispatch(view.state.tr.setNodeAttribute(0, "level", 1).delete(5, 6));
    },
  });
  expect(data).toBe(
    prosemirrorXml
      .replace("&lt;", "&#60;")
      .replace('<heading level="2">Plan</heading>', '<heading level="1"><strong>The</strong> lan</heading>'),
  );
});
