// Editors of text load what crdt/add stores, change it and send it, and another one loads it.
import { EditorState } from "@codemirror/state";
import { expect, it } from "vitest";
import type * as Y from "yjs";
import { openDom } from "../../../support/editors/dom.ts";
import { roundTrip } from "../../../support/editors/round-trip.ts";
import { newDocument } from "../../../support/feature-data.ts";

const { place } = openDom();
const { EditorView } = await import("@codemirror/view");
const { yCollab } = await import("y-codemirror.next");
const { default: Quill } = await import("quill");
const { QuillBinding } = await import("y-quill");

it("CodeMirror keeps text and lines", async () => {
  const data = await roundTrip(await newDocument(), {
    content: { type: "text", data: "let a = 1;\n\tlet 🦜 = a;\n", contentKey: "codemirror" },
    open(doc: Y.Doc, contentKey: string) {
      const text = doc.getText(contentKey);
      const extensions = [yCollab(text, null, { undoManager: false })];
      const view = new EditorView({
        state: EditorState.create({ doc: text.toString(), extensions }),
        parent: place(),
      });
      return { view, shown: () => view.state.doc.toString() };
    },
    expected: "let a = 1;\n\tlet 🦜 = a;\n",
    edit: ({ view }) => view.dispatch({ changes: { from: 8, to: 9, insert: "2" } }),
    editByOther: ({ view }) => view.dispatch({ changes: { from: 0, insert: "// two\n" } }),
  });
  expect(data).toBe("// two\nlet a = 2;\n\tlet 🦜 = a;\n");
});

it("Quill keeps text, and sends formatting to other clients", async () => {
  const data = await roundTrip(await newDocument(), {
    content: { type: "text", data: "Hello, world\nNext\n", contentKey: "quill" },
    open(doc: Y.Doc, contentKey: string) {
      const quill = new Quill(place());
      new QuillBinding(doc.getText(contentKey), quill);
      return { quill, shown: () => quill.getContents().ops };
    },
    expected: [{ insert: "Hello, world\nNext\n" }],
    edit: ({ quill }) => void quill.formatText(7, 5, { bold: true }, "user"),
    editByOther: ({ quill }) => void quill.insertText(0, "Oh! ", { italic: true }, "user"),
  });
  expect(data).toBe("Oh! Hello, world\nNext\n");
});
