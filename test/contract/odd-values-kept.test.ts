// What a client chooses comes back as it was sent, or is refused.
import { beforeAll, describe, expect, it } from "vitest";
import { type Credentials, call } from "../support/call.ts";
import { errorLines } from "../support/capture-logs.ts";
import { furnishedWorkspace } from "../support/contract/furnished-workspace.ts";
import { objectOf, oddNames, oddNumbers } from "../support/contract/odd-values.ts";
import { named } from "../support/contract/requests.ts";
import { valueAt, withValue } from "../support/contract/schema-fields.ts";
import { fakeDates } from "../support/fake-dates.ts";
import { runJobs } from "../support/run-jobs.ts";

fakeDates();

let keys = 0;

/** An object that a client chooses, and where it comes back. `at`: its path in the request. */
interface Kept {
  write: string;
  data: object;
  at: string[];
  read: string;
  query: object;
  // biome-ignore lint/suspicious/noExplicitAny: each reply has another shape
  from(reply: any, id: string): object;
}

const organizationId = "acme";
const place = { organizationId, documentId: "plan" };
const annotation = { annotationId: "odd", from: { userId: "alice" }, comments: [] };
const inPlan = { read: "documents-data-get", query: { ...place, kind: "comments" } };
const actor = { actionUser: { userId: "alice" } };
const activity = { activityId: "odd", ...actor, eventType: "odd.type" };
const notification = {
  ...place,
  ...actor,
  notificationId: "new",
  notifyUsers: [{ userId: "alice" }],
  notifyAll: false,
};
const texts = { displayHeadlineMessageTemplate: "h", displayBodyMessage: "b" };
// biome-ignore lint/suspicious/noExplicitAny: as above
const byId = (list: any[], name: string, id = "odd") => list.find((each) => each[name] === id);

const kept: Record<string, Kept> = {
  "the metadata of a document": {
    ...{ write: "documents-update", data: { organizationId, documents: [{ documentId: "plan" }] } },
    ...{ at: ["documents", "0", "metadata"], read: "documents-get", query: { organizationId, documentIds: ["plan"] } },
    from: ({ documents }) => documents[0].metadata,
  },
  "a location": {
    ...{
      write: "documents-data-add",
      data: { ...place, comments: [{ ...annotation, annotationId: "new" }], location: { id: "new" } },
    },
    ...{ at: ["location"], ...inPlan },
    from: ({ items }, id) => byId(items, "annotationId", id).location,
  },
  "the metadata of an annotation": {
    ...{ write: "documents-data-add", data: { ...place, comments: [annotation], location: { id: "odd" } } },
    ...{ at: ["comments", "0", "metadata"], ...inPlan },
    from: ({ items }) => byId(items, "annotationId").metadata,
  },
  "the metadata of presence": {
    ...{ write: "presence-add", data: { ...place, users: [{ userId: "odd" }] } },
    ...{ at: ["users", "0", "metadata"], read: "presence-get", query: place },
    from: ({ users }) => byId(users, "userId").metadata,
  },
  "the changes of an activity": {
    ...{ write: "activities-update", data: { organizationId, activities: [{ activityId: "odd" }] } },
    ...{ at: ["activities", "0", "changes"], read: "activities-get", query: { organizationId } },
    from: ({ activities }) => byId(activities, "activityId").changes,
  },
  "the source of a notification": {
    ...{ write: "notifications-add", data: { ...notification, ...texts }, at: ["notificationSourceData"] },
    ...{ read: "notifications-get", query: { organizationId, userId: "alice" } },
    from: ({ notifications }) => notifications[0].notificationSourceData,
  },
  "the content of an editor": {
    ...{ write: "crdt-add", data: { ...place, editorId: "new", type: "map" }, at: ["data"] },
    ...{ read: "crdt-get", query: { ...place, editorId: "new" } },
    from: ({ data }) => data,
  },
  "further fields of a user": {
    ...{ write: "users-update", data: { organizationId, users: [{ userId: "alice" }] }, at: ["users", "0"] },
    ...{ read: "users-get", query: { organizationId, userIds: ["alice"] } },
    from: ({ users }) => users[0].properties,
  },
};

const chosen = [
  ...oddNames.map((name) => objectOf(name, '"odd text"')),
  ...oddNumbers.map((number) => objectOf("note", number)),
  ...oddNumbers.map((number) => objectOf("note", objectOf("constructor", `[${number}]`))),
];

describe.each(Object.entries(kept))("%s", (name, { write, data, at, read, query, from }) => {
  let own: Credentials;

  beforeAll(async () => {
    own = await furnishedWorkspace();
    await call(named("activities-add"), { as: own, data: { organizationId, activities: [activity] } });
  });

  it.each(chosen)("gives back, or refuses: %s", async (json) => {
    // A second addition of an id would change nothing.
    const id = `odd-${keys++}`;
    const fresh = (value: object) => JSON.parse(JSON.stringify(value).replaceAll('"new"', JSON.stringify(id)));
    const valid = valueAt(data, at) as object | undefined;
    const text = JSON.stringify({ data: fresh(withValue(data, at, { ...valid, place: "place" })) });
    const body = text.replace('"place":"place"', () => json.slice(1, -1));
    const { error } = await call(named(write), { as: own, body });
    expect(errorLines()).toEqual([]);
    if (error) {
      expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringMatching(/./) });
      return;
    }
    if (write === "notifications-add") await runJobs(own);
    const reply = await call(named(read), { as: own, data: fresh(query) });
    const sent = Object.entries(JSON.parse(json)) as [string, unknown][];
    expect(reply.error, name).toBeUndefined();
    // As JSON, in which -0 and 0 are one number.
    for (const [field, value] of sent)
      expect(JSON.stringify(from(reply.data, id)[field as never])).toBe(JSON.stringify(value));
    expect(json).not.toMatch(/9007199254740993|1e309/);
  });

  it("takes a large number back in the form of the reply", async () => {
    const body = JSON.stringify({
      data: withValue(data, at, { ...(valueAt(data, at) as object), large: 123456789012345680000 }),
    });
    expect(body).toContain("123456789012345680000");
    expect((await call(named(write), { as: own, body })).error).toBeUndefined();
  });
});
