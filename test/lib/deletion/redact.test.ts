import { describe, expect, it } from "vitest";
import { erasedUserId, redacted } from "../../../lib/deletion/redact.ts";

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

  it("removes several users together", () => {
    const value = { userIds: ["u", "v", "w"], from: { userId: "w", name: "W" } };
    const expected = { userIds: ["v"], from: { userId: erasedUserId } };
    expect(redacted(value, new Set(["u", "w"]))).toEqual(expected);
  });

  it("keeps text and labels that equal the user's id", () => {
    const value = { text: "u", labels: ["u"], from: { userId: "v" } };
    expect(redacted(value, users)).toEqual(value);
  });
});
