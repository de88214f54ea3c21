// Ends all disturbances and waits until nothing more happens. Then every page must show what the table has.
import { expect } from "vitest";
import * as Y from "yjs";
import { documentsDataGet } from "../../../functions/comments/documents-data-get.ts";
import { crdtGet } from "../../../functions/editor-content/crdt-get.ts";
import { notificationsGet } from "../../../functions/notifications/notifications-get.ts";
import { presenceGet } from "../../../functions/presence/presence-get.ts";
import type { Item } from "../../../infra/client/source/live/writes.ts";
import type { Endpoint } from "../../../lib/http/endpoint.ts";
import { call } from "../call.ts";
import { callAs } from "../users.ts";
import { type Page, wordForm } from "./page.ts";
import { during, pass } from "./time.ts";
import { place, type User } from "./user.ts";
import type { World } from "./world.ts";

/** A presence ends, and others see that: 180 s, and what a page waits before it reads again. */
const quietMs = 420_000;
const chunkMs = 30_000;

async function quiet(world: World): Promise<void> {
  world.isHard = world.isDown = false;
  for (const each of world.users) each.isTokenDown = false;
  await world.renewTokens();
  for (const page of world.open) {
    page.wake();
    page.isOffline = false;
    page.change("online");
    // Access that was given back shows when the page does.
    page.change("shown");
    if (!page.isLooking) page.look();
  }
  for (let ms = 0; ms < quietMs; ms += chunkMs) {
    await pass(chunkMs);
    while (await during(world.runJobs()));
    await world.renewTokens();
  }
}

/** What a user's own call returns. */
export async function read(user: User, endpoint: Pick<Endpoint, "name">, data: object) {
  const reply = await during(user.token().then((token) => callAs(token, endpoint, data)));
  return reply.error?.status ?? reply.data;
}

async function items(user: User, kind: string): Promise<Item[]> {
  const all: Item[] = [];
  for (let pageToken: string | undefined | null; pageToken !== null; ) {
    const data = {
      documentId: place.documentId,
      kind,
      order: "oldest",
      pageSize: 100,
      ...(pageToken && { pageToken }),
    };
    const token = await user.token();
    const page = (await during(callAs(token, documentsDataGet, data))).data;
    all.push(...page.items);
    pageToken = page.nextPageToken;
  }
  return all;
}

/** Waits, and fails unless all pages show what is stored. */
export async function check(world: World): Promise<void> {
  await quiet(world);
  const { access, words } = world;
  const { as } = world;
  expect(world.broken).toEqual([]);
  expect(access.leaks).toEqual([]);
  const editor = await during(call(crdtGet, { as, data: { ...place, editorId: "body", format: "update" } }));
  const doc = new Y.Doc();
  if (editor.data?.update) Y.applyUpdate(doc, Buffer.from(editor.data.update, "base64"));
  const text = String(doc.getText("content"));
  const readers = world.open.filter(({ user }) => access.of(user));
  for (const page of world.open) {
    const shown = page.document.getSnapshot();
    const at = `the page of ${page.user.userId}`;
    const inbox = await read(page.user, notificationsGet, {});
    expect(page.inbox.getSnapshot(), at).toMatchObject({ status: { state: "live" }, notifications: inbox });
    if (!access.of(page.user)) {
      expect(shown, at).toMatchObject({ status: { state: "denied" }, peers: [] });
      expect([shown.comments, shown.reactions, shown.presence, page.provider.synced], at).toEqual([
        ...[undefined, undefined, undefined, false],
      ]);
      continue;
    }
    expect([shown.status.state, shown.role], at).toEqual(["live", access.of(page.user)]);
    expect(shown.writes.pending, at).toEqual([]);
    for (const kind of ["comments", "reactions"] as const)
      expect(shown[kind], at).toEqual(await items(page.user, kind));
    const { users } = await read(page.user, presenceGet, { documentId: place.documentId });
    const userIds = [...new Set(readers.map(({ user }) => user.userId))].sort();
    // Nobody hears of a renewal, so the times can be old.
    for (const present of [shown.presence, users])
      expect(
        present.map(({ userId }: Item) => userId),
        at,
      ).toEqual(userIds);
    expect(shown.peers, at).toHaveLength(readers.length - 1);
    expectEditor(page, text, readers.length, at);
  }
  const [reader] = readers;
  const threads = reader ? await items(reader.user, "comments") : undefined;
  const comments = threads?.flatMap(({ comments }) => comments.map((each: Item) => each.text as string));
  if (comments) expect(words.wrong([...comments, ...(text.match(wordForm) ?? [])])).toEqual([]);
}

function expectEditor({ provider, text }: Page, stored: string, pages: number, at: string): void {
  expect(provider.synced, at).toBe(true);
  expect(provider.awareness?.getStates().size, at).toBe(pages);
  // What a viewer wrote before the role changed is not stored.
  if (provider.isReadOnly && provider.hasUnsyncedChanges) return;
  expect(provider.hasUnsyncedChanges, at).toBe(false);
  expect(String(text), at).toBe(stored);
}
