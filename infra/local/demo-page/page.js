// A document that several people write and discuss, live. Open it as two users: /demo?user=alice and /demo?user=bob.
import { Editor } from "@tiptap/core";
import { Collaboration } from "@tiptap/extension-collaboration";
import { CollaborationCaret } from "@tiptap/extension-collaboration-caret";
import { StarterKit } from "@tiptap/starter-kit";
import { createBrowserClient } from "collaboration-backend-client/browser";
import { CollaborationProvider } from "collaboration-backend-client/yjs";
import { Doc } from "yjs";

const userId = new URLSearchParams(location.search).get("user") ?? "alice";
const place = { organizationId: "acme", documentId: "plan" };
const find = (selector) => document.querySelector(selector);
/** What is typed as a reply, by thread: threads are shown again while somebody types. */
const drafts = new Map();

/** Your server knows who is signed in. Here, the address says it. */
async function getToken() {
  const reply = await fetch(`/demo/token?user=${encodeURIComponent(userId)}`, { method: "POST" });
  if (!reply.ok) throw new Error(await reply.text());
  return reply.text();
}

const client = createBrowserClient({ url: location.origin, getToken });
const live = client.document(place);
const inbox = client.inbox(place);

// The editor. The provider stores what is typed, and brings the text and the cursors of the others.
const colors = { alice: "#a3243b", bob: "#1f5fbf", carol: "#2a6f3f" };
const colorOf = (id) => colors[id] ?? "#555d6b";
const doc = new Doc();
const provider = new CollaborationProvider({
  client,
  ...place,
  editorId: "body",
  doc,
  type: "xml",
  contentKey: "default",
});
const editor = new Editor({
  element: find("#editor"),
  injectCSS: false,
  extensions: [
    StarterKit.configure({ undoRedo: false }),
    Collaboration.configure({ document: doc }),
    CollaborationCaret.configure({ provider, user: { color: colorOf(userId) } }),
  ],
  editorProps: { attributes: { role: "textbox", "aria-multiline": "true", "aria-label": "Text of the document" } },
  editable: false,
});
// A viewer cannot write, and nobody can before the text is there.
const allow = () => editor.setEditable((editor.isEditable || provider.synced) && !provider.isReadOnly);
provider.on("synced", allow);
provider.on("authenticated", allow);

// Comments, people and inbox: each is shown again when it has changed.
const words = { live: "All is up to date", reconnecting: "Connecting again…", paused: "Paused", denied: "No access" };

live.subscribe({
  status: ({ state }) => {
    find("#state").textContent = words[state] ?? "Connecting…";
  },
  role: (role) => document.body.classList.toggle("viewer", role === "viewer"),
  presence: (users = []) => find("#people").replaceChildren(...users.map(personOf)),
  comments: (threads = []) => find("#threads").replaceChildren(...threads.map(threadOf)),
  writes: ({ failed }) => {
    if (failed) find("#state").textContent = failed.error.message;
  },
});
inbox.subscribe({
  notifications: ({ notifications } = { notifications: [] }) =>
    find("#notifications").replaceChildren(...notifications.map(notificationOf)),
});

function personOf({ userId: id, name }) {
  const person = element("li", name ?? id);
  person.style.setProperty("--user", colorOf(id));
  return person;
}

function threadOf({ annotationId, status, comments = [] }) {
  const thread = element("article");
  for (const { commentId, from, text } of comments) {
    const comment = element("p");
    comment.append(element("b", from.name ?? from.userId), " ", element("span", text));
    const remove = () => live.deleteComment(annotationId, commentId);
    if (from.userId === userId) comment.append(button("Delete", `Delete: ${text}`, remove));
    thread.append(comment);
  }
  const isOpen = status !== "RESOLVED";
  const change = () => live.updateThread(annotationId, { status: isOpen ? "RESOLVED" : "OPEN" });
  thread.append(
    element("span", isOpen ? "" : "Resolved ", { className: "soft" }),
    button(isOpen ? "Resolve" : "Open again", undefined, change),
  );
  if (isOpen) thread.append(replyTo(annotationId));
  return thread;
}

function replyTo(annotationId) {
  const form = find("#new").cloneNode(true);
  form.removeAttribute("id");
  form.elements.text.value = drafts.get(annotationId) ?? "";
  form.elements.text.placeholder = "Reply";
  form.elements.text.ariaLabel = "Reply";
  form.oninput = ({ target }) => drafts.set(annotationId, target.value);
  form.onsubmit = submitted((text) => {
    drafts.delete(annotationId);
    live.addComment(annotationId, { text });
  });
  return form;
}

function notificationOf({ notificationId, displayHeadlineMessage, isRead }) {
  const line = element("li", `${displayHeadlineMessage} `, { className: isRead ? "soft" : "" });
  if (!isRead) line.append(button("Mark as read", undefined, () => inbox.read([notificationId])));
  return line;
}

find("#new").onsubmit = submitted((text) => live.addThread({ id: "page-1" }, { status: "OPEN", comment: { text } }));

/** What a write was refused for is in `writes`. */
function submitted(add) {
  return (event) => {
    event.preventDefault();
    const { text } = event.target.elements;
    const value = text.value;
    text.value = "";
    add(value);
  };
}

/** Texts of users are never HTML. */
function element(name, text = "", properties = {}) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(text);
  return made;
}

function button(text, label, act) {
  const made = element("button", text, { type: "button", onclick: () => act().catch(() => {}) });
  if (label) made.ariaLabel = label;
  return made;
}
