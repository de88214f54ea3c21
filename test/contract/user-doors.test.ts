// What users may call and send (DECISIONS.md#calls-of-users).
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { endpoints } from "../../infra/deployables.ts";
import { actor } from "../../lib/schema/for-users.ts";
import { peopleIn } from "../support/contract/people-in-schema.ts";

// After a change: check the access of a page's user to the endpoint, then run `npm run update`.
it("user-doors.txt lists each endpoint that users may call", async () => {
  const lines = endpoints.flatMap(({ path, users }) => (users ? [`${users} ${path}\n`] : []));
  await expect(lines.sort().join("")).toMatchFileSnapshot("user-doors.txt");
});

/** The fields that are not the user who calls, by the end of their paths. */
const others: Readonly<Record<string, string>> = {
  assignedTo: "an editor may assign a thread to anyone",
  taggedUsers: "a comment may mention anyone",
  "filters.from": "chooses what a list shows",
  "filters.mentions": "chooses what a list shows",
  "config.email": "a channel, and no person",
  data: "the content of an editor",
  location: "a place, whose fields the application chooses",
  metadata: "the application's own fields",
};
const isAt = (path: string) => (end: string) => `.${path}`.endsWith(`.${end}`);

it("each field of a request that can name a person is marked as actor, or is listed here with its reason", () => {
  const found = endpoints.flatMap(({ users, data }) => (users ? peopleIn(data) : []));
  const ends = Object.keys(others);
  expect(found.filter((path) => !ends.some(isAt(path)))).toEqual([]);
  expect(ends.filter((end) => !found.some((path) => isAt(path)(end)))).toEqual([]);
});

it("a field that can name a person is found by its name, by its shape, and where it takes anything", () => {
  const Someone = z.object({ userId: z.string() });
  const schema = z.object({
    organizationId: z.string(),
    text: z.optional(z.string()),
    approvedBy: z.optional(z.nullable(z.string())),
    watchers: z.array(z.string()),
    lead: z.union([z.string(), Someone]),
    votes: z.record(z.string(), z.array(Someone)),
    items: z.array(z.object({ more: z.catchall(z.object({}), Someone), self: actor(Someone) })),
    extra: z.unknown(),
  });
  expect(peopleIn(schema).sort()).toEqual(["approvedBy", "extra", "items.more", "lead", "votes", "watchers"]);
});
