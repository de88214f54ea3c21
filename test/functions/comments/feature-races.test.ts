// Changes of feature data beside one another, and beside the deletion or the migration of what they are in. What was
// accepted is there in the end, and what was refused left nothing.
import { expect, it } from "vitest";
import { documentsDataAdd } from "../../../functions/comments/documents-data-add.ts";
import { documentsDelete } from "../../../functions/documents/documents-delete.ts";
import { documentsMigrate } from "../../../functions/documents/documents-migrate.ts";
import { organizationsDelete } from "../../../functions/organizations/organizations-delete.ts";
import { migrate } from "../../../functions/workers/migrate.ts";
import { type Credentials, call, must, type Reply } from "../../support/call.ts";
import {
  addTo,
  annotationX,
  eventsOf,
  expectConsistent,
  get,
  remove,
  removeFrom,
  updateComment,
  updateX,
  wantEvents,
} from "../../support/comments.ts";
import { fakeDates } from "../../support/fake-dates.ts";
import { add, documentId, newDocument, person, reaction } from "../../support/feature-data.ts";
import { jobsOf } from "../../support/jobs.ts";
import { runPurges } from "../../support/run-purges.ts";
import { deliver } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";
import { organizationId } from "../../support/workspace.ts";

fakeDates();

const rounds = 6;
const a = { id: "a" };
const comment = (commentId: string, userId = "u", more: object = {}) => ({ commentId, from: person(userId), ...more });
const thread = (...comments: object[]) => ({ annotationId: "x", from: person("u"), comments });

/** The annotation `x` with the comments `1` and `2`, and the reaction `r`. */
async function withX(): Promise<Credentials> {
  const as = await newDocument();
  const features = { comments: [thread(comment("1"), comment("2", "v"))], reactions: [reaction("r")] };
  await add(as, a, { ...features, silent: true });
  await wantEvents(as);
  return as;
}

interface State {
  // biome-ignore lint/suspicious/noExplicitAny: each change looks at what it needs
  x: any;
  comments: string[];
  reactions: string[];
}

interface Change {
  make(as: Credentials): Promise<Reply>;
  isMade(state: State): boolean;
}

const changes: Change[] = [
  { make: (as) => updateX(as, { status: "DONE", assignedTo: person("w") }), isMade: ({ x }) => x.status === "DONE" },
  { make: (as) => addTo(as, [comment("new", "z")]), isMade: ({ comments }) => comments.includes("new") },
  { make: (as) => updateComment(as, "1", { text: "New" }), isMade: ({ x }) => x.comments[0].text === "New" },
  { make: (as) => removeFrom(as, ["2"]), isMade: ({ comments }) => !comments.includes("2") },
  {
    make: (as) =>
      call(documentsDataAdd, {
        as,
        data: { organizationId, documentId, location: { id: "b" }, reactions: [reaction("s", "z")] },
      }),
    isMade: ({ reactions }) => reactions.includes("s"),
  },
  { make: (as) => remove(as, ["r"], { kind: "reactions" }), isMade: ({ reactions }) => !reactions.includes("r") },
];

const isAccepted = ({ status, data }: Reply) => status === 200 && data.x?.success !== false;

async function stateOf(as: Credentials, on: string): Promise<State> {
  const [x] = await get(as, "comments", { documentId: on });
  const reactions = await get(as, "reactions", { documentId: on });
  return {
    x,
    comments: x.comments.map(({ commentId }: { commentId: string }) => commentId),
    reactions: reactions.map(({ reactionId }: { reactionId: string }) => reactionId),
  };
}

const ofDocuments = async ({ apiKey }: Credentials) =>
  (await itemsOf(apiKey)).filter(({ pk }) => /#X#|#UP#|#E#/.test(pk)).map(({ pk, sk }) => `${pk} ${sk}`);

it("all changes that are made at once count", async () => {
  for (let round = 0; round < rounds; round++) {
    const as = await withX();
    const replies = await Promise.all(changes.map(({ make }) => make(as)));
    expect(replies.map(isAccepted)).toEqual(changes.map(() => true));
    const state = await stateOf(as, documentId);
    expect(changes.map(({ isMade }) => isMade(state))).toEqual(changes.map(() => true));
    await expectConsistent(as);
  }
});

it("beside a migration, a change is made under the new id or refused", async () => {
  for (let round = 0; round < rounds; round++) {
    const as = await withX();
    await must(documentsMigrate, { as, data: { organizationId, documentId, newDocumentId: "e" } });
    const jobs = (await jobsOf(as, "migrate")).map(({ id }) => id);
    const running = changes.map(({ make }) => make(as));
    const [replies] = await Promise.all([Promise.all(running), deliver(migrate, jobs)]);
    for (const each of replies) if (!isAccepted(each)) expect(each.error?.status).toBe("NOT_FOUND");
    const state = await stateOf(as, "e");
    expect(changes.map(({ isMade }) => isMade(state))).toEqual(replies.map(isAccepted));
    await expectConsistent(as);
  }
});

it.each([
  ["the document", documentsDelete, { organizationId, documentIds: [documentId] }],
  ["the organization", organizationsDelete, { organizationId }],
] as const)(
  "beside the deletion of %s, a change is accepted or NOT_FOUND, and nothing is left",
  async (_, endpoint, data) => {
    for (let round = 0; round < rounds; round++) {
      const as = await withX();
      const running = changes.map(({ make }) => make(as));
      const [replies] = await Promise.all([Promise.all(running), must(endpoint, { as, data })]);
      for (const each of replies) if (each.status !== 200) expect(each.error?.status).toBe("NOT_FOUND");
      await runPurges(as);
      expect(await ofDocuments(as)).toEqual([]);
    }
  },
);

it("an update beside the deletion of its comment is made before it or NOT_FOUND", async () => {
  for (let round = 0; round < 2 * rounds; round++) {
    const as = await withX();
    const [updated, removed] = await Promise.all([updateComment(as, "1", { text: "New" }), removeFrom(as, ["1"])]);
    expect(removed.status).toBe(200);
    expect((await stateOf(as, documentId)).comments).toEqual(["2"]);
    const types = (await eventsOf(as)).map(([type]) => type);
    const wasMade = updated.status === 200;
    if (!wasMade) expect(updated.error?.status).toBe("NOT_FOUND");
    expect(types.sort()).toEqual(["comment.delete", ...(wasMade ? ["comment.update"] : [])]);
    await expectConsistent(as);
  }
});

it("a reply beside a replacement of its thread is kept, or told as deleted", async () => {
  for (let round = 0; round < 2 * rounds; round++) {
    const as = await withX();
    const [reply] = await Promise.all([
      addTo(as, [comment("new", "z")]),
      add(as, a, { comments: [thread(comment("1"), comment("3"))] }),
    ]);
    expect(isAccepted(reply)).toBe(true);
    const ids = (await annotationX(as)).comments.map(({ commentId }: { commentId: string }) => commentId);
    const told = (await eventsOf(as)).map(([type, data]) => `${type} ${(data as { commentId: string }).commentId}`);
    expect(told.filter((each) => each === "comment.add new")).toHaveLength(1);
    const isKept = ids.includes("new");
    expect(ids).toEqual(isKept ? ["1", "3", "new"] : ["1", "3"]);
    expect(told.includes("comment.delete new")).toBe(!isKept);
    await expectConsistent(as);
  }
});
