// Tiptap loads what crdt/add stores, changes it and sends it, and another Tiptap loads it.
import { expect, it } from "vitest";
import { ySyncPlugin } from "y-prosemirror";
import * as Y from "yjs";
import { add } from "../../../support/crdt.ts";
import { openDom } from "../../../support/editors/dom.ts";
import { roundTrip } from "../../../support/editors/round-trip.ts";
import { syncOf, tiptapXml } from "../../../support/editors/shown.ts";
import { newDocument } from "../../../support/feature-data.ts";
import { untilHolds } from "../../../support/turns.ts";

const { place } = openDom();
const { Editor, Extension } = await import("@tiptap/core");
const { StarterKit } = await import("@tiptap/starter-kit");

function open(doc: Y.Doc, contentKey: string) {
  const fragment = doc.getXmlFragment(contentKey);
  const collaboration = Extension.create({
    name: "collaboration",
    addProseMirrorPlugins: () => [ySyncPlugin(fragment)],
  });
  const editor = new Editor({
    element: place(),
    extensions: [StarterKit.configure({ undoRedo: false }), collaboration],
  });
  return { editor, shown: () => editor.getHTML() };
}

const html =
  '<h2>Plan</h2><p>Hello, <strong>world</strong>! See <a target="_blank" rel="noopener noreferrer nofollow" ' +
  'href="https://example.com">this</a>.</p><ul><li><p>One<br>line</p></li></ul><blockquote><p><em>Quoted</em></p>' +
  '</blockquote><pre><code class="language-js">let a = 1;</code></pre><p></p>';

it("keeps headings, lists, quotes, code, marks, links and line breaks", async () => {
  const data = await roundTrip(await newDocument(), {
    content: { type: "xml", data: tiptapXml, contentKey: "default" },
    open,
    expected: html,
    edit({ editor }) {
      editor.chain().setTextSelection({ from: 1, to: 5 }).setHeading({ level: 3 }).toggleItalic().run();
      editor.commands.insertContentAt(editor.state.doc.content.size - 1, "end");
    },
    editByOther({ editor }) {
      editor.commands.insertContentAt(3, "<s>st</s>");
    },
  });
  expect(data).toBe(
    `${tiptapXml}<paragraph>end</paragraph>`
      .replace(
        '<heading level="2">Plan</heading>',
        '<heading level="3"><italic>Pl</italic><strike>st</strike><italic>an</italic></heading>',
      )
      // Tiptap adds the attributes that its links have by default.
      .replace(
        '.com">',
        '.com" target="_blank" rel="noopener noreferrer nofollow" json.class="null" json.title="null">',
      ),
  );
});

it("loads what crdt/add stores, and changes nothing", async () => {
  const as = await newDocument();
  await add(as, { type: "xml", data: tiptapXml, contentKey: "default" });
  const doc = new Y.Doc();
  await (await syncOf(as, doc)).load();
  const before = doc.getXmlFragment("default").toString();
  const { shown } = open(doc, "default");
  await untilHolds(() => shown() !== "<p></p>");
  expect(shown()).toBe(html);
  expect(doc.getXmlFragment("default").toString()).toBe(before);
});

it("deletes elements with names of HTML, which its schema lacks", async () => {
  const as = await newDocument();
  await add(as, { type: "xml", data: "<p>Hello</p><paragraph>there</paragraph>", contentKey: "default" });
  const doc = new Y.Doc();
  await (await syncOf(as, doc)).load();
  const { shown } = open(doc, "default");
  await untilHolds(() => shown() !== "<p></p>");
  expect(shown()).toBe("<p>there</p>");
  expect(doc.getXmlFragment("default").toString()).toBe("<paragraph>there</paragraph>");
});
