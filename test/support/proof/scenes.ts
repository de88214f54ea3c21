// Scenes that chance seldom makes: each leaves one way alone by which a page can learn of a change.
import { expect } from "vitest";
import { documentsDataAdd } from "../../../functions/comments/documents-data-add.ts";
import { crdtDelete } from "../../../functions/editor-content/crdt-delete.ts";
import { Page } from "./page.ts";
import { during, pass } from "./time.ts";
import { place } from "./user.ts";
import type { World } from "./world.ts";

/** After it, nobody is counted as a listener any more. */
const forgottenMs = 400_000;
const commits = "TransactWriteCommand";

/** A server adds a thread. */
export function adds(world: World, annotationId: string, process = {}) {
  const from = { userId: "server" };
  const comments = [{ annotationId, from, comments: [{ commentId: "c", from, text: "By a server." }] }];
  const data = { ...place, location: { id: "l" }, actionUser: from, comments };
  return world.calls(documentsDataAdd, { as: world.as, data }, { callsLeft: Infinity, ...process });
}

/** The same, but the call stands still before its commit. `commit` lets it go on, and then it dies. */
function standing(world: World, annotationId: string) {
  const { promise: until, resolve: commit } = Promise.withResolvers<void>();
  const done = adds(world, annotationId, { held: { at: commits, until }, last: commits });
  return { done, commit };
}

/** The pages show these threads, and the one from the beginning. */
export function expectThreads(world: World, annotationIds: readonly string[]): void {
  for (const { comments, user } of world.open) {
    const shown = comments.map(({ annotationId }) => annotationId as string).sort();
    expect(shown, user.userId).toEqual([...annotationIds, "first"].sort());
  }
}

/** Each returns the threads that pages must show in the end. */
export const scenes: Record<string, (world: World) => Promise<string[]>> = {
  async "a call dies between its commit and its message, and nothing else happens"(world) {
    expect(await during(adds(world, "a", { last: commits }))).toBeUndefined();
    return ["a"];
  },
  async "a call dies between its commit and its message, and another one does not"(world) {
    await during(adds(world, "a", { last: commits }));
    await during(adds(world, "b"));
    await pass(5_000);
    expectThreads(world, ["a", "b"]);
    return ["a", "b"];
  },
  async "a call stands still before its commit until its number was missed, and dies"(world) {
    const late = standing(world, "a");
    await pass(1_000);
    await during(adds(world, "b"));
    await pass(5_000);
    expectThreads(world, ["b"]);
    late.commit();
    await during(late.done);
    return ["a", "b"];
  },
  async "a call begins before anybody listens, and ends after the first page has read"(world) {
    for (const page of world.open) page.kill();
    await pass(forgottenMs);
    await world.renewTokens();
    const late = standing(world, "a");
    await pass(100);
    world.pages = world.users.slice(0, 2).map((user) => new Page(world, user));
    await pass(5_000);
    expectThreads(world, []);
    late.commit();
    await during(late.done);
    return ["a"];
  },
  async "a page that was away shows what has changed when it is back"(world) {
    for (const page of world.open) for (const socket of [...page.sockets]) socket.cut();
    await during(adds(world, "a"));
    await pass(5_000);
    expectThreads(world, ["a"]);
    return ["a"];
  },
  async "content is deleted, and added again by one page"(world) {
    const [alice, bob] = world.pages as [Page, Page];
    alice.text.insert(0, "before");
    await pass(2_000);
    expect(world.pages.map(({ text }) => String(text))).toEqual(world.pages.map(() => "before"));
    await during(world.calls(crdtDelete, { as: world.as, data: { ...place, editorIds: ["body"] } }));
    await pass(2_000);
    bob.text.insert(0, "after");
    return [];
  },
};
