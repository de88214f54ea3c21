import { expect, it } from "vitest";
import {
  addExampleData,
  documentId,
  organizationId,
  type Post,
  posterTo,
  tellStory,
} from "../../../infra/local/example-data.ts";
import { noteOf } from "../../support/local/note-of.ts";
import { serve, stopped } from "../../support/local/serve.ts";
import { temporaryFolder } from "../../support/local/start.ts";

it("--example adds a team with a document and its comments, once", async () => {
  const folder = temporaryFolder();
  const first = await serve(folder, "--example");
  expect(await noteOf(first.process, "Example ")).toBe(
    "Example     the organization acme is added: in the console, Documents, Acme, Plans, Launch plan",
  );
  const where = { organizationId, documentId, kind: "comments" };
  const { items } = await posterTo(first.ready)<{ items: object[] }>("/v2/organizations/documents/data/get", where);
  expect(items).toHaveLength(2);
  expect(await stopped(first, "SIGTERM")).toBe(0);

  const second = await serve(folder, "--example");
  expect(await noteOf(second.process, "Example ")).toBe(
    "Example     the organization acme exists already: in the console, Documents, Acme, Plans, Launch plan",
  );
  expect(await stopped(second, "SIGTERM")).toBe(0);
});

it("data that a killed process has added in part is completed, and nothing is there twice", async () => {
  const server = await serve(temporaryFolder());
  const post = posterTo(server.ready);
  for (const last of [4, 12, 16]) await expect(tellStory(killedAfter(last, post))).rejects.toThrow("was killed");
  expect(await addExampleData(server.ready)).toBe(true);
  expect(await addExampleData(server.ready)).toBe(false);
  const { judgments } = await post<{ judgments: object[] }>("/v2/memory/search", { query: "launch price" });
  expect(judgments).toHaveLength(3);
  const { items } = await post<{ items: { comments: object[] }[] }>("/v2/organizations/documents/data/get", {
    ...{ organizationId, documentId, kind: "comments" },
  });
  expect(items.map(({ comments }) => comments.length).sort()).toEqual([1, 2]);
  expect(await stopped(server, "SIGTERM")).toBe(0);
});

/** Makes this many calls, and fails before the next one. */
function killedAfter(last: number, post: Post): Post {
  let calls = 0;
  return async (path, data) => {
    if (++calls > last) throw new Error("The process was killed.");
    return post(path, data);
  };
}
