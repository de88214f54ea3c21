// What users, servers and bad luck do.
import { vi } from "vitest";
import { documentsDataAdd } from "../../../functions/comments/documents-data-add.ts";
import { documentsDelete } from "../../../functions/documents/documents-delete.ts";
import { crdtDelete } from "../../../functions/editor-content/crdt-delete.ts";
import { notificationsAdd } from "../../../functions/notifications/notifications-add.ts";
import type { Item } from "../../../infra/client/source/live/writes.ts";
import { must } from "../call.ts";
import { Page, wordForm } from "./page.ts";
import { during, pass } from "./time.ts";
import { place } from "./user.ts";
import type { World } from "./world.ts";

type Step = (world: World, page: Page) => unknown;

const { organizationId, documentId } = place;
const location = { id: "l" };
const nightMs = 8 * 3_600_000;
/** Longer than a call. */
const callMs = 30_000;

/** A new word, which must be stored if the user may write. */
function written(world: World, page: Page, marks: "‹›" | "«»", annotationId?: string): string {
  const word = world.words.new(page, marks, annotationId);
  if (world.access.of(page.user) !== "editor") world.words.forgiveWord(word);
  return word;
}

/** A write of a page: when it fails for good, it need not be stored. */
function tracked(world: World, word: string, done: Promise<void>): void {
  done.catch(() => world.words.forgiveWord(word));
}

const onThread =
  (work: (world: World, page: Page, annotationId: string, words: string[]) => unknown): Step =>
  (world, page) => {
    if (page.comments.length === 0) return;
    const { annotationId, comments } = world.random.from(page.comments);
    work(
      world,
      page,
      annotationId,
      comments.map(({ text }: { text: string }) => text),
    );
  };

const onComment =
  (
    work: (world: World, page: Page, annotationId: string, comment: { commentId: string; text: string }) => unknown,
  ): Step =>
  (world, page) => {
    const { annotationId, comments } = world.random.from(page.comments) ?? {};
    if (comments?.length > 0) work(world, page, annotationId, world.random.from(comments));
  };

const quiet = (done: Promise<unknown>) => void done.catch(() => undefined);

function type(world: World, page: Page): void {
  if (page.provider.isReadOnly) return;
  // Between two words.
  const ends = [0, ...[...String(page.text).matchAll(wordForm)].map(({ index, 0: word }) => index + word.length)];
  const word = written(world, page, "‹›");
  world.note(`types ${word}`, page);
  page.text.insert(world.random.from(ends), word);
}

/** What a change of the editor removes is no loss. */
function removing(world: World, { text }: Page, change: () => void): void {
  const before = String(text).match(wordForm) ?? [];
  change();
  const after = new Set(String(text).match(wordForm));
  for (const word of before) if (!after.has(word)) world.words.forgiveWord(word);
}

function cut(world: World, page: Page): void {
  const word = world.random.from([...String(page.text).matchAll(wordForm)]);
  if (!word || page.provider.isReadOnly) return;
  // With an origin of its own, so that undo does not bring it back: two pages would, each for itself.
  removing(world, page, () => page.provider.doc.transact(() => page.text.delete(word.index, word[0].length), "cut"));
}

const user: readonly [number, Step][] = [
  [
    3,
    (world, page) => {
      const annotationId = crypto.randomUUID();
      const text = written(world, page, "«»", annotationId);
      tracked(world, text, page.document.addThread(location, { annotationId, comment: { text } }).done);
    },
  ],
  [
    4,
    onThread((world, page, annotationId) => {
      const text = written(world, page, "«»", annotationId);
      tracked(world, text, page.document.addComment(annotationId, { text }).done);
    }),
  ],
  [
    2,
    onComment((world, page, annotationId, { commentId, text: old }) => {
      const text = written(world, page, "«»");
      world.words.forgiveWord(old);
      world.words.forgiveWord(text);
      quiet(page.document.editComment(annotationId, commentId, { text }));
    }),
  ],
  [
    2,
    onThread((world, page, annotationId) => {
      const status = world.random.from(["RESOLVED", "OPEN"]);
      quiet(page.document.updateThread(annotationId, { status }));
    }),
  ],
  [
    1,
    onThread((world, page, annotationId) => {
      world.words.forgiveThread(annotationId);
      quiet(page.document.deleteThread(annotationId));
    }),
  ],
  [
    1,
    onComment((world, page, annotationId, { commentId, text }) => {
      world.words.forgiveWord(text);
      quiet(page.document.deleteComment(annotationId, commentId));
    }),
  ],
  [2, (_, page) => quiet(page.document.addReaction(location, { icon: "👍" }).done)],
  [
    1,
    (world, page) => {
      const reaction = world.random.from(page.document.getSnapshot().reactions ?? []);
      if (reaction) quiet(page.document.deleteReaction(reaction.reactionId));
    },
  ],
  [8, type],
  [2, cut],
  [2, (world, page) => page.provider.isReadOnly || removing(world, page, () => page.undo.undo())],
  [3, (world, page) => page.provider.awareness?.setLocalState({ cursor: world.random.below(100) })],
  [1, (_, page) => quiet(page.inbox.read())],
  [
    1,
    (world, page) => {
      const { notifications = [] } = page.inbox.getSnapshot().notifications ?? {};
      const notification = world.random.from<Item>(notifications);
      if (notification) quiet(page.inbox.delete([notification.notificationId]));
    },
  ],
];

const server: readonly [number, Step][] = [
  [
    3,
    (world) => {
      const notifyUsers = world.random.some(world.users, 3).map(({ userId }) => ({ userId }));
      const text = { actionUser: { userId: "server" }, displayHeadlineMessageTemplate: "Look." };
      const data = { ...place, ...text, notifyUsers, notifyAll: false };
      void world.calls(notificationsAdd, { as: world.as, data });
    },
  ],
  [
    2,
    (world) => {
      const annotationId = `s${world.random.below(30)}`;
      // It replaces a thread that is there.
      world.words.forgiveThread(annotationId);
      const comments = [{ annotationId, comments: [{ commentId: "c", text: "By a server." }] }];
      const thread = { ...place, location, actionUser: { userId: "server" } };
      const from = { userId: "server" };
      const all = comments.map((each) => ({ ...each, from, comments: each.comments.map((one) => ({ ...one, from })) }));
      void world.calls(documentsDataAdd, { as: world.as, data: { ...thread, comments: all } });
    },
  ],
  [
    0.3,
    (world) => {
      world.words.forgive();
      world.note("The content is deleted.");
      void world.calls(crdtDelete, { as: world.as, data: { ...place, editorIds: ["body"] } });
    },
  ],
  [5, (world) => during(world.runJobs())],
  [
    2,
    async (world) => {
      const someone = world.random.from(world.users.slice(1));
      if (world.access.of(someone)) {
        for (const page of world.open) if (page.user === someone) world.words.forgive(page);
        await during(world.access.take(someone));
      } else await during(world.access.give(someone, world.random.from(["editor", "editor", "viewer"])));
    },
  ],
  [
    0.1,
    async (world) => {
      world.words.forgive();
      const data = { organizationId, documentIds: [documentId] };
      world.note("The document is deleted.");
      await during(must(documentsDelete, { as: world.as, data }));
      const had = world.users.filter((each) => world.access.of(each));
      for (const each of had) world.access.ended(each);
      await pass(world.random.below(60_000));
      await during(world.addDocument());
      for (const each of had) await during(world.access.give(each, "editor"));
    },
  ],
];

const trouble: readonly [number, Step][] = [
  [2, (world) => void world.random.from([...world.open.flatMap(({ sockets }) => [...sockets])])?.cut()],
  [1, (world) => void world.random.from([...world.open.flatMap(({ sockets }) => [...sockets])])?.cut(true)],
  [1, (world) => world.kill()],
  [
    2,
    (world) => {
      world.isDown = false;
    },
  ],
  [2, (_, page) => page.change(page.isHidden ? "shown" : "hidden")],
  [1, (_, page) => page.change(page.isHidden ? "shown" : "left")],
  [
    2,
    (_, page) => {
      page.isOffline = !page.isOffline;
      for (const socket of [...page.sockets]) if (page.isOffline) socket.cut(true);
      page.change(page.isOffline ? "offline" : "online");
    },
  ],
  [1, (_, page) => page.sleep()],
  [1, (world) => void world.open.map((page) => page.wake())],
  [
    0.3,
    async (world) => {
      for (const page of world.open) page.sleep();
      // The service does not sleep: what is on its way arrives.
      await pass(callMs);
      vi.setSystemTime(Date.now() + nightMs);
      await world.renewTokens();
      for (const page of world.open) page.wake();
    },
  ],
  [2, (_, page) => (page.isLooking ? page.lookAway() : page.look())],
  [
    1,
    (world, page) => {
      world.pages = world.pages.filter((each) => each !== page);
      if (world.random.chance(0.5)) page.kill();
      else page.close();
      world.pages.push(new Page(world, page.user));
    },
  ],
  [
    0.5,
    (world) => {
      if (world.open.length < 6) world.pages.push(new Page(world, world.random.from(world.users)));
    },
  ],
  [
    1,
    (world) => {
      const someone = world.random.from(world.users);
      someone.isTokenDown = !someone.isTokenDown;
    },
  ],
];

export async function step(world: World): Promise<void> {
  const { random } = world;
  const usable = world.open.filter(({ isUsable }) => isUsable);
  const steps = random.weighted([
    [6, user],
    [2, server],
    [2, trouble],
  ] as const);
  const page = random.from(usable);
  if (page) await random.weighted(steps)(world, page);
  await world.renewTokens();
  for (const someone of world.users) await during(world.access.probe(someone, random));
  const ms = random.weighted([
    [12, 300],
    [3, 5_000],
    [0.7, 200_000],
  ] as const);
  await pass(random.below(ms));
}
