// The first attempt of a call with an Idempotency-Key has done its work and died. Others then change the same things. The
// repeat must reply as the first attempt would have, and change nothing of what the others did.
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type AwsCommand, atAwsEdge } from "../support/aws/edge.ts";
import type { Credentials } from "../support/call.ts";
import { prepareFurniture } from "../support/contract/furnished-workspace.ts";
import { base64, typed } from "../support/crdt.ts";
import { newTableInMemory } from "../support/engine/in-memory.ts";
import { person } from "../support/feature-data.ts";
import { aNote, arranged, endOf, page, plan, putNotification, send, thread } from "../support/repeated-calls.ts";
import { itemsOf } from "../support/scan.ts";

beforeAll(async () => {
  newTableInMemory();
  await prepareFurniture();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const at = "2026-01-01T00:00:00.000Z";
const [comment, reaction] = [
  { commentId: "c2", from: person("carol"), text: "Yes." },
  { reactionId: "r2", from: person("carol") },
];
const editor = { ...plan, editorId: "notes" };
const update = base64(typed(["a"])[0] as Uint8Array);
const text = { type: "text", data: "" };
const onPage = { ...plan, location: page };
type Call = [endpoint: string, data: object];
const adding = (...comments: object[]): Call => ["comments-add", { ...thread, comments }];
const deleting = (...commentIds: string[]): Call => ["comments-delete", { ...thread, commentIds }];
const deletingItems = (kind: string, ...ids: string[]): Call => ["documents-data-delete", { ...plan, kind, ids }];
const withStatus = (status: string): Call => [
  "commentannotations-update",
  { ...plan, annotationIds: ["annotation-1"], update: { status } },
];
const withText = (given: string): Call => ["comments-update", { ...thread, commentId: "comment-1", text: given }];

const cases: [string, Call, Call[]][] = [
  ["deletes the added comment", adding(comment), [deleting("c2")]],
  ["changes the added comment", adding(comment), [["comments-update", { ...thread, commentId: "c2", text: "No." }]]],
  [
    "deletes the annotation and adds it again",
    adding(comment),
    [
      deletingItems("comments", "annotation-1"),
      ["documents-data-add", { ...onPage, comments: [{ annotationId: "annotation-1", from: person("dan") }] }],
    ],
  ],
  ["adds the deleted comment again", deleting("comment-1"), [adding({ ...comment, commentId: "comment-1" })]],
  ["changes the text again", withText("First."), [withText("Second.")]],
  ["deletes the changed comment", withText("First."), [deleting("comment-1")]],
  ["changes the status again", withStatus("DONE"), [withStatus("OPEN")]],
  ["deletes the changed annotation", withStatus("DONE"), [deletingItems("comments", "annotation-1")]],
  [
    "deletes the added reaction",
    ["documents-data-add", { ...onPage, reactions: [reaction] }],
    [deletingItems("reactions", "r2")],
  ],
  [
    "adds the reaction again elsewhere",
    ["documents-data-add", { ...onPage, reactions: [reaction] }],
    [
      deletingItems("reactions", "r2"),
      ["documents-data-add", { ...plan, location: { id: "other" }, reactions: [{ ...reaction, icon: "👍" }] }],
    ],
  ],
  [
    "adds the deleted annotation again",
    deletingItems("comments", "annotation-1", "no"),
    [["documents-data-add", { ...onPage, comments: [{ annotationId: "annotation-1", from: person("dan") }] }]],
  ],
  [
    "adds the deleted editor again",
    ["crdt-delete", { ...plan, editorIds: ["notes"] }],
    [["crdt-add", { ...editor, ...text }]],
  ],
  [
    "deletes the changed editor and adds it again",
    ["crdt-update", { ...editor, update }],
    [
      ["crdt-delete", { ...plan, editorIds: ["notes"] }],
      ["crdt-add", { ...editor, ...text }],
    ],
  ],
  [
    "deletes the added editor",
    ["crdt-add", { ...plan, editorId: "new", ...text }],
    [["crdt-delete", { ...plan, editorIds: ["new"] }]],
  ],
];

/** Seals the reply, or stores it. */
const isReply = ({ constructor: { name }, input }: AwsCommand) =>
  name === "GenerateDataKeyCommand" || (name === "UpdateCommand" && JSON.stringify(input.Key).includes("#I#"));

/** The process dies before the first call to AWS for which `isDeath` is true. */
async function sendAndDie(as: Credentials, [endpoint, data]: Call, isDeath = isReply): Promise<void> {
  let hasDied = false;
  atAwsEdge(async (command, call) => {
    hasDied ||= isDeath(command);
    if (hasDied) throw new Error("The process was killed.");
    return command.constructor.name === "SendMessageBatchCommand" ? {} : call();
  });
  await send(as, endpoint, data, "key");
  vi.restoreAllMocks();
  expect(hasDied).toBe(true);
}

/** The reply to a repeat after the end of the first attempt's lease. */
async function repeat(as: Credentials, [endpoint, data]: Call) {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  return send(as, endpoint, data, "key");
}

describe("the repeat changes nothing after somebody else", () => {
  it.each(cases)("%s", async (_, call, others) => {
    const [endpoint, data] = call;
    const expected = await send(await arranged({ endpoint }), endpoint, data);
    const as = await arranged({ endpoint });
    await sendAndDie(as, call);
    for (const [name, given] of others) expect((await send(as, name, given)).status).toBe(200);
    const before = await endOf(as);
    expect(await repeat(as, call)).toEqual(expected);
    expect(await endOf(as)).toEqual(before);
  });

  it("adds another notification of the id", async () => {
    const before = (as: Credentials) => putNotification(as, at);
    const expected = await send(
      await arranged({ endpoint: "notifications-delete", before }),
      "notifications-delete",
      aNote,
    );
    const as = await arranged({ endpoint: "notifications-delete", before });
    await sendAndDie(as, ["notifications-delete", aNote]);
    await putNotification(as, new Date().toISOString());
    const stored = await endOf(as);
    expect(await repeat(as, ["notifications-delete", aNote])).toEqual(expected);
    expect(await endOf(as)).toEqual(stored);
  });
});

it("a repeat adds an editor again under another internal id than the deleted one, which a purge empties", async () => {
  const as = await arranged({ endpoint: "crdt-update" });
  const call: Call = ["crdt-update", { ...plan, editorId: "new", type: "text", update }];
  await sendAndDie(as, call, ({ input }) => JSON.stringify(input.TransactItems ?? "").includes("UPDATE#"));
  await send(as, "crdt-delete", { ...plan, editorIds: ["new"] });
  expect((await repeat(as, call)).status).toBe(200);
  const items = await itemsOf(as.apiKey);
  const editor = items.find(({ entity, editorId }) => entity === "editor-content" && editorId === "new");
  const purged = JSON.stringify(items.filter(({ kind }) => kind === "purge").map(({ payload }) => payload));
  expect([editor?.generation, purged]).toEqual([expect.any(String), expect.stringContaining("#E#new#")]);
  expect(purged).not.toContain(`#E#new#${editor?.generation}`);
});
