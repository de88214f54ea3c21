import { describe, expect, it } from "vitest";
import { redacted } from "../../../lib/deletion/redact.ts";
import { erasedUserId } from "../../../lib/schema/fields.ts";

const users = new Set(["u"]);

describe("redacted", () => {
  it.each(["participants", "userIds", "notifyUserIds", "mentioned_userids"])(
    "removes the user from the list of ids %s",
    (name) => {
      expect(redacted({ [name]: ["u", "v"] }, users)).toEqual({ [name]: ["v"] });
    },
  );

  it("removes the user from lists of people, replies and reactions at any depth", () => {
    const value = (users: object[], replies: object[]) => ({ comments: [{ users, replies }] });
    const before = value([{ userId: "u" }, { userId: "v" }], [{ from: { userId: "u" } }, { from: { userId: "v" } }]);
    expect(redacted(before, users)).toEqual(value([{ userId: "v" }], [{ from: { userId: "v" } }]));
  });

  it("replaces the user by a placeholder in a field for one person", () => {
    const assigned = { assignedTo: { userId: "u", name: "Ada" } };
    expect(redacted(assigned, users)).toEqual({ assignedTo: { userId: erasedUserId } });
  });

  it.each(["location", "newLocation", "metadata", "properties", "notificationSourceData", "changes"])(
    "takes the user out of the client's own fields in %s, and keeps what they are about",
    (name) => {
      const person = { userId: "u", name: "Ada", email: "ada@example.com" };
      const own = { id: "page-1", locationName: "Intro", ...person, at: { owner: person, ownerUserId: "u" } };
      const left = { id: "page-1", locationName: "Intro" };
      const at = { owner: {} };
      expect(redacted({ [name]: own }, users)).toEqual({ [name]: { ...left, at } });
      expect(redacted({ [name]: { ...own, userId: "v" } }, users)).toEqual({ [name]: { ...own, userId: "v", at } });
    },
  );

  it.each([
    [{ order: { userId: "u", email: "e", sku: "A" } }, { order: { sku: "A" } }],
    [
      { lines: [{ userId: "u", name: "n", sku: "B" }, { at: { from: { userId: "u" } } }] },
      { lines: [{ sku: "B" }, { at: { from: {} } }] },
    ],
    [
      { userId: { id: "u", u: 1, v: 1 }, name: "n", page: 1 },
      { userId: { v: 1 }, page: 1 },
    ],
    [{ userId: ["u", "v"], name: "n" }, { userId: ["v"] }],
    [{ at: { userIds: { u: true, v: { by: "u" } } } }, { at: { userIds: { v: {} } } }],
    [{ userIds: [{ userId: "u", name: "n", sku: "C" }, "u"] }, { userIds: [{ sku: "C" }] }],
  ])("takes the user out of the client's own fields %j by userId and userIds only", (own, left) => {
    const others = { from: "u", to: "v", assignedTo: "u", mentions: ["u"], participants: ["u"], u: "u" };
    const before = { metadata: { ...own, others } };
    expect(redacted(before, users)).toEqual({ metadata: { ...left, others } });
  });

  it("replaces the people in the data of a headline by the placeholder, and removes ids from its texts", () => {
    const people = { actionUser: { userId: "u", name: "Ada" }, recipientUser: { userId: "v", name: "Ben" } };
    const before = { displayHeadlineMessageTemplateData: { ...people, task: "u", byUserId: "u" } };
    const left = { actionUser: { userId: erasedUserId }, recipientUser: people.recipientUser, task: "u" };
    expect(redacted(before, users)).toEqual({ displayHeadlineMessageTemplateData: left });
    const byId = { displayHeadlineMessageTemplateData: { recipientUser: "u" } };
    expect(redacted(byId, users)).toEqual({ displayHeadlineMessageTemplateData: { recipientUser: erasedUserId } });
    expect(redacted({ metadata: before }, users)).toEqual({
      metadata: { displayHeadlineMessageTemplateData: { ...left, actionUser: {} } },
    });
  });

  it("removes several users together", () => {
    const value = { userIds: ["u", "v", "w"], from: { userId: "w", name: "W" } };
    const expected = { userIds: ["v"], from: { userId: erasedUserId } };
    expect(redacted(value, new Set(["u", "w"]))).toEqual(expected);
  });

  it("takes the user out of fields that have the id as a number, but not out of other numbers", () => {
    const own = {
      userId: 7,
      name: "Ada",
      ownerUserId: 7,
      userIds: [7, 8],
      at: { userId: 7, page: 7 },
      from: 7,
      mentions: 7,
    };
    const metadata = { userIds: [8], at: { page: 7 }, from: 7, mentions: 7 };
    expect(redacted({ metadata: own }, new Set(["7"]))).toEqual({ metadata });
  });

  it("keeps text and labels that equal the user's id", () => {
    const value = { text: "u", labels: ["u"], from: { userId: "v" } };
    expect(redacted(value, users)).toEqual(value);
  });
});
