import { beforeAll, describe, expect, it, vi } from "vitest";
import { activitiesGet } from "../../../functions/activity-log/activities-get.ts";
import { documentsDataAdd } from "../../../functions/comments/documents-data-add.ts";
import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import { append, get, newLog, organizationId } from "../../support/activity-log.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { allPages, expectRefused, forged } from "../../support/paging.ts";
import { issuesOf } from "../../support/workspace.ts";

const start = Date.now();
fakeDates(start);

const listing = { endpoint: activitiesGet, member: "activities" };
type Shown = { eventType: string; documentId?: string; actionUser?: { userId: string } };

/** What happened, as one line: type, document and user. */
const line = ({ eventType, documentId = "-", actionUser }: Shown) =>
  `${eventType} ${documentId} ${actionUser?.userId ?? "-"}`;
const linesOf = async (as: Credentials, more: object = {}) =>
  (await allPages(listing, as, { organizationId, pageSize: 2, ...more })).map((each) => line(each as never));

async function react(as: Credentials, documentId: string, userId: string, reactionId: string): Promise<void> {
  later(1);
  const reactions = [{ reactionId, from: { userId } }];
  await must(documentsDataAdd, { as, data: { organizationId, documentId, location: { id: "a" }, reactions } });
}

describe("OK", () => {
  let as: Credentials;
  let before: object;
  const all = [
    "activity.configure - -",
    "organization.add - -",
    "document.add d1 -",
    "document.add d2 -",
    "reaction.add d1 ann",
    "reaction.add d2 ann",
    "reaction.add d1 bob",
    "reaction.add d2 bob",
    "reaction.add d1 ann",
  ];

  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: start });
    as = await newLog();
    const documents = [{ documentId: "d1", documentName: "One" }, { documentId: "d2" }];
    await must(documentsAdd, { as, data: { organizationId, documents } });
    await react(as, "d1", "ann", "1");
    await react(as, "d2", "ann", "2");
    await react(as, "d1", "bob", "3");
    await react(as, "d2", "bob", "4");
    await react(as, "d1", "ann", "5");
    before = await get(as);
    await append(as);
    vi.useRealTimers();
  });

  it("shows nothing before the log has settled, and each event after it", async () => {
    expect(before).toEqual({ activities: [], nextPageToken: null });
    expect(await linesOf(as, { order: "oldest" })).toEqual(all);
    expect(await linesOf(as)).toEqual(all.toReversed());
  });

  it("shows the document's name, who acted, and the data of the event", async () => {
    const { activities } = await get(as, { eventTypes: ["reaction.add"], documentIds: ["d1"], pageSize: 1 });
    expect(activities).toEqual([
      {
        activityId: expect.stringMatching(/^act_000000000009_.{8}$/),
        authTokenId: expect.stringMatching(/^[0-9a-f]{12}$/),
        organizationId,
        documentId: "d1",
        documentName: "One",
        actionUser: { userId: "ann" },
        eventType: "reaction.add",
        changes: { reactionId: "5", from: "ann" },
        createdAt: new Date(start + 5_200).toISOString(),
      },
    ]);
  });

  it.each([
    ["documents", { documentIds: ["d2"] }, [3, 5, 7]],
    ["several documents", { documentIds: ["d2", "d1", "no", "d2"] }, [2, 3, 4, 5, 6, 7, 8]],
    ["users", { userIds: ["bob"] }, [6, 7]],
    ["several users", { userIds: ["bob", "ann"] }, [4, 5, 6, 7, 8]],
    ["types", { eventTypes: ["document.add"] }, [2, 3]],
    ["several types", { eventTypes: ["document.add", "organization.add"] }, [1, 2, 3]],
    ["a document and a user", { documentIds: ["d1"], userIds: ["ann"] }, [4, 8]],
    ["a document and a type", { documentIds: ["d1"], eventTypes: ["document.add"] }, [2]],
    ["a user and a type", { userIds: ["bob"], eventTypes: ["reaction.add"] }, [6, 7]],
    ["all three", { documentIds: ["d2"], userIds: ["ann", "bob"], eventTypes: ["reaction.add"] }, [5, 7]],
    ["nothing", { userIds: ["carl"] }, []],
    ["nothing in common", { userIds: ["ann"], eventTypes: ["document.add"] }, []],
    ["a time on", { after: new Date(start + 3_000).toISOString() }, [6, 7, 8]],
    ["a time on, in ms, of a document", { after: start + 3_000, documentIds: ["d1"] }, [6, 8]],
    ["a time on, in ms with a fraction", { after: start + 3_000.5 }, [6, 7, 8]],
    ["before a time", { before: start + 3_000, eventTypes: ["reaction.add"] }, [4, 5]],
    ["between times", { after: start + 2_000, before: start + 4_000 }, [5, 6]],
    ["no time, from a time until the same", { after: start + 2_000, before: start + 2_000 }, []],
    ["before the end of time", { after: start + 5_000, before: "9999-12-31T23:59:59.999Z" }, [8]],
    ["before the year 0", { before: "0000-01-01T00:00:00Z" }, []],
  ])("lists those of %s, in both orders and in small pages", async (_, filter, places) => {
    const expected = places.map((place) => all[place]);
    expect(await linesOf(as, { ...filter, order: "oldest" })).toEqual(expected);
    expect(await linesOf(as, { ...filter, order: "newest", pageSize: 1 })).toEqual(expected.toReversed());
    expect((await get(as, filter)).activities.map(line)).toEqual(expected.toReversed());
  });
});

it("accepts a page token only for its own request", async () => {
  const as = await newLog();
  await must(documentsAdd, { as, data: { organizationId, documents: [{ documentId: "d" }] } });
  await append(as);
  const data = { organizationId, pageSize: 1 };
  const { nextPageToken: pageToken } = await get(as, data);
  for (const token of forged(pageToken)) await expectRefused(listing, as, { ...data, pageToken: token });
  for (const more of [{ order: "oldest" }, { userIds: ["u"] }, { after: 1 }])
    await expectRefused(listing, as, { ...data, ...more, pageToken });
});

describe("INVALID_ARGUMENT", () => {
  it("for a missing organization, also if another workspace has it", async () => {
    await newLog();
    const as = await newWorkspace();
    const { error } = await call(activitiesGet, { as, data: { organizationId } });
    expect(error).toMatchObject({
      status: "INVALID_ARGUMENT",
      message: "organizationId: The organization does not exist.",
    });
  });

  const tooMany = Array.from({ length: 31 }, (_, index) => `${index}`);
  it.each([
    [
      "31 values",
      { documentIds: tooMany, userIds: tooMany, eventTypes: tooMany },
      ["documentIds", "userIds", "eventTypes"],
    ],
    ["no values", { documentIds: [] }, ["documentIds"]],
    ["invalid ids", { userIds: ["", "u\n"] }, ["userIds.0", "userIds.1"]],
    ["invalid times", { after: "yesterday", before: -1 }, ["after", "before"]],
    ["a range that ends before it starts", { after: 159, before: 84 }, ["before"]],
    ["such a range in two time zones", { after: "2026-01-01T12:00Z", before: "2026-01-01T12:00+01:00" }, ["before"]],
    ["an unknown order", { order: "up" }, ["order"]],
    ["a page of 101", { pageSize: 101 }, ["pageSize"]],
  ])("for %s", async (_, more, paths) => {
    const as = await newWorkspace();
    expect(await issuesOf(activitiesGet, as, { organizationId, ...more })).toEqual(paths);
  });
});
