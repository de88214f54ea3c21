import { expect, test } from "vitest";
import { messageOf } from "../../../../../infra/console/page/pages/activity-message.ts";

const nameOf = (userId: string) => (userId === "bob" ? "Bob Okoro" : userId);
const onPlan = { userId: "bob", resource: { type: "document", id: "plan" } };

test.each([
  [{ ...onPlan, accessRole: "editor" }, "Bob Okoro can now edit the document plan"],
  [{ ...onPlan, accessRole: "viewer" }, "Bob Okoro can now view the document plan"],
  [{ ...onPlan, before: "viewer", accessRole: "editor" }, "Bob Okoro can now edit the document plan (before: viewer)"],
  [{ ...onPlan, before: "editor", accessRole: "editor" }, "Bob Okoro can now edit the document plan"],
  [{ ...onPlan, before: null, accessRole: "viewer" }, "Bob Okoro can now view the document plan"],
  [
    { ...onPlan, before: "editor", accessRole: null },
    "The grant of Bob Okoro on the document plan has ended (before: editor)",
  ],
  [{ ...onPlan, accessRole: null }, "The grant of Bob Okoro on the document plan has ended"],
  [onPlan, "The access of Bob Okoro to the document plan has changed"],
  [{}, "Permission update"],
])("a change of access %j reads %s", (changes, text) => {
  expect(messageOf({ eventType: "permission.update", changes }, nameOf)).toBe(text);
});

test("a message of its own is shown, and else the event in words", () => {
  const eventType = "comment.add";
  expect(messageOf({ eventType, displayMessage: "Alice asks." }, nameOf)).toBe("Alice asks.");
  expect(messageOf({ eventType }, nameOf)).toBe("Comment add");
});
