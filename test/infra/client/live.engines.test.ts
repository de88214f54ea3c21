// Pages of several users on one document, with the built client and the local server as a process.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import * as Y from "yjs";
import type { Peer } from "../../../infra/client/source/live/awareness.ts";
import type { ShownDocument } from "../../../infra/client/source/live/document.ts";
import type { InboxPage } from "../../../infra/client/source/live/inbox.ts";
import type { Live, LiveDocument, LiveInbox } from "../../../infra/client/source/live/types.ts";
import type { Item } from "../../../infra/client/source/live/writes.ts";
import type { CollaborationProvider } from "../../../infra/client/source/yjs.ts";
import {
  addExampleData,
  alice as aliceUser,
  bob as bobUser,
  type Post,
  posterTo,
} from "../../../infra/local/example-data.ts";
import { projectWithClient } from "../../support/built-client.ts";
import { clientOf, packageFile, place, reached, when } from "../../support/client/live-clients.ts";
import { freePort } from "../../support/free-port.ts";
import { type Server, start, stopped, whenReady } from "../../support/local/serve.ts";
import { enginesOn } from "../../support/local/start.ts";

const dir = projectWithClient();
const folder = mkdtempSync(join(tmpdir(), "live-"));
let args: string[] = [];
let server: Server;
let post: Post;

beforeAll(async () => {
  args = ["--port", String(await freePort()), "--data", folder, "--json"];
  server = await whenReady(start(args));
  post = posterTo(server.ready);
  await addExampleData(server.ready);
  await grant("bob", "editor");
});
afterAll(async () => {
  await stopped(server, "SIGTERM");
  for (const pid of enginesOn(folder)) process.kill(pid, "SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

const client = (userId: string, heard?: (text: string) => void) =>
  clientOf(userId, { dir: dir(), url: server.ready.url, post, ...(heard && { heard }) });

/** Keeps a document or an inbox open until the test ends. */
function open<Store extends Live<unknown>>(store: Store): Store {
  onTestFinished(store.subscribe(() => {}));
  return store;
}

const grant = (userId: string, accessRole: string) =>
  post("/v2/users/add", { ...place, users: [{ userId, name: userId, email: `${userId}@example.com`, accessRole }] });

/** The document as a user sees it. */
async function opened(userId: string, heard?: (text: string) => void): Promise<LiveDocument> {
  const document: LiveDocument = open((await client(userId, heard)).document(place));
  await reached(document, ({ status, comments }) => status.state === "live" && comments);
  return document;
}

/** The texts of a thread; undefined: there is none. */
function textsOf({ comments = [] }: ShownDocument, annotationId: string): string[] | undefined {
  const thread = comments.find((each) => each.annotationId === annotationId);
  return thread?.comments.map(({ text }: { text: string }) => text);
}

const shows = (document: LiveDocument, annotationId: string, ...texts: string[]) =>
  reached(document, (shown) => String(textsOf(shown as ShownDocument, annotationId)) === String(texts));

test("pages of two users show at once what the other does to comments", async () => {
  const [alice, bob] = [await opened("alice"), await opened("bob")];
  const { annotationId, commentId } = alice.addThread({ id: "page-1" }, { comment: { text: "Ready?" } });
  const mine = (alice.getSnapshot().comments as Item[]).find((each) => each.annotationId === annotationId);
  expect(mine?.comments[0].from).toEqual({ userId: "alice", name: "alice of Acme" });
  await shows(bob, annotationId, "Ready?");
  const answer = bob.addComment(annotationId, { text: "No" });
  await shows(alice, annotationId, "Ready?", "No");
  await alice.editComment(annotationId, commentId, { text: "Ready now?" });
  await shows(bob, annotationId, "Ready now?", "No");
  await bob.deleteComment(annotationId, answer.commentId);
  await shows(alice, annotationId, "Ready now?");
  await bob.updateThread(annotationId, { status: "RESOLVED" });
  await reached(alice, ({ comments = [] }) =>
    (comments as Item[]).some((each) => each.annotationId === annotationId && each.status === "RESOLVED"),
  );
  await alice.deleteThread(annotationId);
  await reached(bob, (shown) => textsOf(shown as ShownDocument, annotationId) === undefined);
});

test("pages show who is there, what others share, and who has left", async () => {
  const alice = await opened("alice");
  const bob: LiveDocument = (await client("bob")).document(place);
  const leave = bob.subscribe(() => {});
  bob.share("cursor", 7);
  const isBob = ({ userId }: Item) => userId === "bob";
  const cursorOf = ({ peers }: { peers: readonly Peer[] }) => peers.find(({ user }) => isBob(user))?.state.cursor;
  const { peers } = await reached(alice, (shown) => cursorOf(shown) === 7);
  expect(peers.map(({ user }) => user)).toContainEqual({ userId: "bob", name: "bob of Acme" });
  await reached(alice, ({ presence = [] }) => (presence as Item[]).some(isBob));
  leave();
  await reached(
    alice,
    ({ peers, presence = [] }) => ![...peers.map(({ user }) => user), ...(presence as Item[])].some(isBob),
  );
});

test("an inbox shows a notification that arrives, and one that another tab has read", async () => {
  const [inbox, other]: LiveInbox[] = [await client("bob"), await client("bob")].map((each) => open(each.inbox(place)));
  if (!inbox || !other) return expect.fail();
  await Promise.all(
    [inbox, other].map((each) =>
      reached(each, ({ status, notifications }) => status.state === "live" && notifications),
    ),
  );
  await post("/v2/notifications/add", {
    ...place,
    ...{
      notificationId: "live",
      actionUser: aliceUser,
      notifyUsers: [bobUser],
      displayHeadlineMessageTemplate: "{actionUser} calls",
      displayBodyMessage: "Now",
    },
  });
  const isRead = ({ notifications }: { notifications: InboxPage | undefined }) =>
    notifications?.notifications.find(({ notificationId }) => notificationId === "live")?.isRead;
  await reached(inbox, (shown) => isRead(shown) === false);
  await inbox.read(["live"]);
  await reached(other, (shown) => isRead(shown) === true);
});

test("a viewer sees what others write, and a write is rolled back with its reason", async () => {
  const [alice, carol] = [await opened("alice"), await opened("carol")];
  expect([alice, carol].map((each) => each.getSnapshot().role)).toEqual(["editor", "viewer"]);
  const { annotationId } = alice.addThread({ id: "page-1" }, { comment: { text: "For all" } });
  await shows(carol, annotationId, "For all");
  const refused = carol.addComment(annotationId, { text: "Mine" });
  expect(textsOf(carol.getSnapshot() as ShownDocument, annotationId)).toEqual(["For all", "Mine"]);
  await expect(refused.done).rejects.toMatchObject({ status: "PERMISSION_DENIED" });
  await shows(carol, annotationId, "For all");
});

test("the page of a user whose access has ended hears no content, and shows nothing", async () => {
  await grant("dora", "editor");
  const heard: string[] = [];
  const [alice, dora] = [await opened("alice"), await opened("dora", (text) => heard.push(text))];
  await post("/v2/users/delete", { ...place, userIds: ["dora"] });
  const { done } = alice.addThread({ id: "page-1" }, { comment: { text: "A secret of those who stay" } });
  await done;
  const shown = await reached(dora, ({ status }) => status.state === "denied");
  expect(shown).toMatchObject({
    status: { error: { status: "PERMISSION_DENIED" } },
    role: undefined,
    comments: undefined,
  });
  expect(heard.join()).toContain("can you check");
  expect(heard.join()).not.toContain("A secret");
});

/** An editor of the document, with a provider of its own. */
async function editor(userId: string) {
  const { CollaborationProvider: Provider } = await import(packageFile(dir(), "yjs"));
  const own = await client(userId);
  const document: LiveDocument = open(own.document(place));
  const doc = new Y.Doc();
  const provider: CollaborationProvider = new Provider({ client: own, ...place, editorId: "body", doc, type: "text" });
  onTestFinished(() => provider.destroy());
  const text = doc.getText("body");
  const on = (name: "sync" | "unsyncedChanges") => (look: () => void) => {
    provider.on(name, look);
    return () => provider.off(name, look);
  };
  const changes = (look: () => void) => {
    doc.on("update", look);
    return () => doc.off("update", look);
  };
  const { awareness } = provider;
  awareness?.setLocalStateField("user", { name: "Somebody else", color: "#123456" });
  const cursors = (look: () => void) => {
    awareness?.on("change", look);
    return () => awareness?.off("change", look);
  };
  return {
    ...{ provider, document, text },
    synced: () => when(on("sync"), () => provider.synced),
    stored: () => when(on("unsyncedChanges"), () => !provider.hasUnsyncedChanges),
    has: (...parts: string[]) => when(changes, () => parts.every((part) => String(text).includes(part))),
    /** The states of the cursors of others. */
    sees: (count: number) => when(cursors, () => others().length === count).then(others),
  };
  function others() {
    return [...(awareness?.getStates() ?? [])].filter(([id]) => id !== doc.clientID).map(([, state]) => state);
  }
}

test("two editors converge, with cursors under the names of their users", async () => {
  const [one, two] = [await editor("alice"), await editor("bob")];
  await Promise.all([one.synced(), two.synced()]);
  one.text.insert(0, "Launch ");
  await two.has("Launch ");
  two.text.insert(two.text.length, "in March");
  await one.has("in March");
  const [shown] = await two.sees(1);
  expect(shown).toEqual({ user: { id: "alice", name: "alice of Acme", color: "#123456" } });
  one.provider.destroy();
  await two.sees(0);
});

test("pages go on when the server was killed, and nothing is lost", async () => {
  const [one, two] = [await editor("alice"), await editor("bob")];
  await Promise.all([one.synced(), two.synced()]);
  await stopped(server, "SIGKILL");
  await Promise.all([one, two].map(({ document }) => reached(document, ({ status }) => status.state !== "live")));
  one.text.insert(0, "[one] ");
  two.text.insert(0, "[two] ");
  const { annotationId, done } = two.document.addThread({ id: "page-1" }, { comment: { text: "While it was away" } });
  server = await whenReady(start(args));
  await Promise.all([one, two].map(({ document }) => reached(document, ({ status }) => status.state === "live")));
  await Promise.all([one, two].map(({ has }) => has("[one] ", "[two] ")));
  await done;
  await shows(one.document, annotationId, "While it was away");
  await Promise.all([one, two].map(({ stored }) => stored()));
  expect(String(one.text)).toBe(String(two.text));
  expect(await one.sees(1)).toHaveLength(1);
});
