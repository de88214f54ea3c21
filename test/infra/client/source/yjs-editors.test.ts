// Real editors with their usual bindings, unchanged, on two pages with a CollaborationProvider each.
import { beforeEach, expect, it, onTestFinished } from "vitest";
import * as Y from "yjs";
import { LiveDocument } from "../../../../infra/client/source/live/document.ts";
import { CollaborationProvider } from "../../../../infra/client/source/yjs.ts";
import { Clock, Engine, livePage, Service } from "../../../support/client/live-page.ts";
import { documentText } from "../../../support/documents.ts";
import { openDom } from "../../../support/editors/dom.ts";
import { untilHolds } from "../../../support/turns.ts";

const { place } = openDom();
const { Editor } = await import("@tiptap/core");
const { Collaboration } = await import("@tiptap/extension-collaboration");
const { CollaborationCaret } = await import("@tiptap/extension-collaboration-caret");
const { StarterKit } = await import("@tiptap/starter-kit");
const { EditorView } = await import("@codemirror/view");
const { yCollab } = await import("y-codemirror.next");
const { default: Quill } = await import("quill");
const { QuillBinding } = await import("y-quill");

const ref = { organizationId: "acme", documentId: "plan" };

let clock: Clock;
let engine: Engine;
let service: Service;

beforeEach(() => {
  [clock, engine, service] = [new Clock(), new Engine(), new Service()];
  service.engine = engine;
});

interface Opened {
  shown: () => string;
  insert: (text: string) => void;
  undo: () => void;
  end: () => void;
}

/** Two pages with an editor each, whose content is loaded. */
async function pages<Own extends Opened>(
  type: "text" | "xml",
  contentKey: string,
  open: (provider: CollaborationProvider) => Own,
) {
  const opened: (Own & { provider: CollaborationProvider })[] = [];
  for (const user of ["alice", "bob"]) {
    const { shared } = livePage(user, engine, service, clock);
    const document = new LiveDocument(ref, shared);
    const { crdtGet, crdtUpdate } = shared.calls;
    const client = { document: () => document, crdtGet, crdtUpdate } as never;
    const provider = new CollaborationProvider({
      client,
      ...ref,
      editorId: "body",
      doc: new Y.Doc(),
      type,
      contentKey,
    });
    await clock.pass(200);
    const editor = open(provider);
    opened.push({ ...editor, provider });
    onTestFinished(() => {
      editor.end();
      provider.destroy();
    });
  }
  return opened as [(typeof opened)[0], (typeof opened)[0]];
}

/** What each writes is shown to both, and each undoes only its own. */
async function edit([alice, bob]: Awaited<ReturnType<typeof pages<Opened>>>): Promise<void> {
  alice.insert("one ");
  await clock.pass(500);
  expect(bob.shown()).toContain("one");
  bob.insert("two ");
  await clock.pass(500);
  expect(alice.shown()).toContain("two");
  expect(alice.shown()).toBe(bob.shown());
  alice.undo();
  await clock.pass(500);
  expect(bob.shown()).toContain("two");
  expect(bob.shown()).not.toContain("one");
  expect(alice.shown()).toBe(bob.shown());
}

it("Tiptap, with Collaboration and the caret of others", async () => {
  const two = await pages("xml", "default", (provider) => {
    const extensions = [
      StarterKit.configure({ undoRedo: false }),
      Collaboration.configure({ document: provider.doc, provider }),
      CollaborationCaret.configure({ provider, user: { color: "#ff0000" } }),
    ];
    const element = place();
    const editor = new Editor({ element, extensions });
    return {
      editor,
      html: (): string => element.innerHTML,
      shown: () => editor.getHTML(),
      insert: (text) => void editor.commands.insertContentAt(1, text),
      undo: () => void editor.commands.undo(),
      end: () => editor.destroy(),
    };
  });
  await edit(two);
  const [alice, bob] = two;
  alice.editor.view.dom.focus();
  alice.editor.commands.setTextSelection(2);
  await clock.pass(500);
  await untilHolds(() => bob.html().includes("alice!"));
  alice.provider.destroy();
  await clock.pass(2_000);
  await untilHolds(() => !bob.html().includes("alice!"));
});

/** Runs the code after a word of lib/crdt/EDITORS.md. Returns its variables of these names. */
function shown(word: string, given: object, ...names: string[]) {
  const [, code = ""] = documentText("lib/crdt/EDITORS.md").split(`${word}:\n\n\`\`\`js\n`);
  const run = new Function(...Object.keys(given), `${code.split("```")[0]}return { ${names.join()} };`);
  return run(...Object.values(given));
}

it("CodeMirror, with the cursors of others", async () => {
  const two = await pages("text", "content", (provider) => {
    const given = { doc: provider.doc, provider, parent: place(), UndoManager: Y.UndoManager, EditorView, yCollab };
    const { view, undoManager } = shown("CodeMirror", given, "view", "undoManager");
    return {
      shown: () => view.state.doc.toString(),
      insert: (insert) => view.dispatch({ changes: { from: 0, insert } }),
      undo: () => void undoManager.undo(),
      end: () => view.destroy(),
    };
  });
  await edit(two);
});

it("Quill, with the cursors of others", async () => {
  const two = await pages("text", "content", (provider) => {
    const given = { doc: provider.doc, provider, parent: place(), Quill, QuillBinding };
    const { quill, binding } = shown("Quill", given, "quill", "binding");
    const undo = new Y.UndoManager(provider.doc.getText("content"), { trackedOrigins: new Set([binding]) });
    return {
      shown: () => quill.getText(),
      insert: (given) => void quill.insertText(0, given, "user"),
      undo: () => void undo.undo(),
      end: () => binding.destroy(),
    };
  });
  await edit(two);
  two[0].provider.awareness?.setLocalStateField("user", { name: "Alice", color: "#f00" });
  two[0].provider.awareness?.setLocalStateField("cursor", { anchor: null, head: null });
  await clock.pass(500);
  const states = [...(two[1].provider.awareness?.getStates().values() ?? [])];
  expect(states).toContainEqual({
    user: { id: "alice", name: "alice!", color: "#f00" },
    cursor: { anchor: null, head: null },
  });
});
