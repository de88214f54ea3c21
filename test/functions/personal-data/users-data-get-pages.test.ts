import { afterEach, describe, expect, it, vi } from "vitest";
import { handler, usersDataGet } from "../../../functions/personal-data/users-data-get.ts";
import { locationNodeEntity } from "../../../lib/store/content/location.ts";
import { ownerEntity } from "../../../lib/store/content/owner.ts";
import { featureEntity } from "../../../lib/store/features/feature.ts";
import { participationEntity } from "../../../lib/store/features/participation.ts";
import type { DocumentUid, LocationUid } from "../../../lib/store/refs.ts";
import { type Credentials, call, type Reply } from "../../support/call.ts";
import {
  add,
  callsOf,
  documentUidOf,
  type Exported,
  lists,
  newDocument,
  notify,
  pagesOf,
  person,
  reaction,
  reactions,
  remove,
  update,
} from "../../support/feature-data.ts";
import { mocked, organizationId } from "../../support/workspace.ts";

const [a, b] = [{ id: "a" }, { id: "b" }];
const get = (as: Credentials, more: object = {}): Promise<Reply> =>
  call(usersDataGet, { as, data: { organizationId, userId: "u", ...more } });
const idsOf = (pages: Exported[]) => pages.flatMap((page) => page.reactions).map((each) => each.reactionId);

afterEach(() => void vi.restoreAllMocks());

describe("OK", () => {
  it("returns the items of each list exactly once, 100 a page, oldest first", async () => {
    const as = await newDocument();
    const numbered = (count: number, name: string) =>
      Array.from({ length: count }, (_, index) => ({ [name]: `${String(index).padStart(3, "0")}`, from: person("u") }));
    await add(as, a, { comments: numbered(150, "annotationId") });
    await add(as, b, { reactions: numbered(250, "reactionId"), recordings: numbered(100, "recordingId") });
    await add(as, a, { reactions: [reaction("last"), reaction("other", "other")] });
    await notify(as, await documentUidOf(as), 101);
    const pages = await pagesOf(as);
    expect(pages.map((page) => lists.map((list) => page[list].length))).toEqual([
      [100, 100, 100, 100],
      [50, 100, 0, 1],
      [0, 51, 0, 0],
    ]);
    const ids = idsOf(pages);
    expect(ids).toEqual([...ids.slice(0, 250).sort(), "last"]);
    expect(new Set(ids).size).toBe(251);
  });

  it("returns no token when only deleted items follow", async () => {
    const as = await newDocument();
    await add(as, a, { reactions: reactions(100) });
    await add(as, b, { reactions: [reaction("beyond")] });
    expect((await get(as)).body.result.nextPageToken).not.toBeNull();
    await remove(as, b);
    expect((await get(as)).body.result.nextPageToken).toBeNull();
  });

  it("returns every item that existed at the start exactly once, while other calls write", async () => {
    const as = await newDocument();
    const other = { id: "other" };
    await add(as, a, { reactions: reactions(230) });
    let round = 0;
    const pages = await pagesOf(as, "u", async () => {
      round++;
      const [here, there] = round % 2 ? [a, b] : [b, a];
      await add(as, other, { reactions: [reaction(`new${round}`)] });
      const changed = reactions(230).slice(round * 10, round * 20);
      await add(as, here, { reactions: changed.map((each) => ({ ...each, icon: "👍" })) });
      await update(as, here, there);
      if (round === 2) await update(as, other, { id: "c" }, { merge: true });
    });
    const ids = idsOf(pages);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(reactions(230).map(({ reactionId }) => reactionId)));
  });

  it("ends a page at 4 MB, and returns the rest on the next page", async () => {
    const as = await newDocument();
    const text = "x".repeat(60_000);
    const thread = {
      from: person("u"),
      comments: ["1", "2", "3"].map((commentId) => ({ commentId, from: person("u"), text })),
    };
    for (const part of [0, 1, 2])
      await add(as, a, {
        comments: [1, 2, 3].map((index) => ({ annotationId: `${part}${index}`, ...thread })),
        reactions: [reaction(`r${part}`)],
      });
    const pages = await pagesOf(as);
    for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(4_000_000);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flatMap((page) => page.comments).map((each) => each.annotationId)).toHaveLength(9);
    expect(idsOf(pages)).toEqual(["r0", "r1", "r2"]);
  });

  it("returns an empty page with a token after 15 seconds of reading deleted items", async () => {
    const as = await newDocument();
    await add(as, a, { reactions: reactions(120) });
    await add(as, b, { reactions: [reaction("live")] });
    await remove(as, a);
    let at = Date.now();
    vi.spyOn(Date, "now").mockImplementation(() => (at += 16_000));
    const first = await get(as);
    vi.restoreAllMocks();
    expect(first.body.result.data.reactions).toEqual([]);
    expect(first.body.result.nextPageToken).not.toBeNull();
    const next = await get(as, { pageToken: first.body.result.nextPageToken });
    expect(next.body.result.data.reactions).toMatchObject([{ reactionId: "live" }]);
    expect(next.body.result.nextPageToken).toBeNull();
  });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned with code 400 for a forged token and another user's, organization's or workspace's", async () => {
    const [as, other] = [await newDocument(), await newDocument()];
    for (const each of [as, other]) await add(each, a, { reactions: reactions(101) });
    const pageToken: string = (await get(as)).body.result.nextPageToken;
    const foreign = (await get(other)).body.result.nextPageToken;
    const forged = `${pageToken.startsWith("A") ? "B" : "A"}${pageToken.slice(1)}`;
    const bad = [
      { pageToken, userId: "v" },
      { pageToken, organizationId: "o2" },
      ...[foreign, forged, pageToken.slice(0, -4), "x"].map((pageToken) => ({ pageToken })),
    ];
    for (const more of bad) {
      const { status, body } = await get(as, more);
      expect(status).toBe(400);
      expect(body.error).toMatchObject({
        code: 400,
        status: "INVALID_ARGUMENT",
        details: { issues: [{ path: ["pageToken"] }] },
      });
    }
    expect((await get(as, { pageToken })).body.result.data.reactions).toHaveLength(1);
  });
});

describe("AWS calls", () => {
  const at = "2026-01-01T00:00:00.000Z";
  const location = { organizationId, documentUid: "x" as DocumentUid, locationUid: "l" as LocationUid };
  const items = (count: number) =>
    Array.from({ length: count }, (_, index) => {
      const name = { ...location, kind: "reactions" as const, id: String(index).padStart(7, "0"), at };
      const written = { participants: ["u"], position: at, writtenAt: at, rev: "1" };
      const ref = { ...name, workspace: "w", userId: "u" };
      const item = featureEntity.put(ref, { ...name, ...written, record: "{}" });
      return [participationEntity.put(ref, name).put, item.put];
    }).flat();
  const ref = { ...location, workspace: "w" };
  const node = { ...location, identity: "id:a", location: "{}", size: 1, rev: "1" };
  const locationItems = [
    ownerEntity.put(ref, { organizationId, documentId: "d" }).put,
    locationNodeEntity.put(ref, node).put,
    mocked.document,
  ];

  it.each([120, 400])("are the same for a page of %i items", async (count) => {
    const table = [...mocked.rows, ...locationItems, ...items(count)];
    const { status, calls } = await callsOf(handler, usersDataGet, { organizationId, userId: "u" }, table);
    expect(status).toBe(200);
    expect(calls.filter((line) => line.startsWith("Query"))).toEqual([
      ...["comments", "reactions", "recordings"].map((kind) => `Query W#w#O#o#UP#u#${kind}`),
      "Query W#w#O#o#UN#u",
      "Query W#w#O#o#UA#u",
    ]);
    const reads = calls.filter((line) => !line.startsWith("Query"));
    const first = "W#w#X#x#L#l reactions#0000000, ";
    expect(reads).toEqual([
      expect.stringMatching(/^BatchGet W#w#O#o#U#\d+ u, W#w#O#o ORG, W#w#X#x OWNER, W#w#X#x L#l$/),
      expect.stringMatching(/^BatchGet W#w#O#o#D#\d+ d, W#w#O#o ORG$/),
      expect.stringContaining(first),
      expect.not.stringContaining(first),
    ]);
  });
});
