// A setting names event types. A mistyped one would have no effect, so it is refused, with the type that is meant.
import { describe, expect, it } from "vitest";
import { eventTypes } from "../../../lib/schema/events.ts";
import { EventTriggers } from "../../../lib/schema/triggers.ts";
import { webhookFields } from "../../../lib/schema/webhooks.ts";

const problemsOf = {
  triggers: (type: string) => EventTriggers.safeParse({ [type]: true }).error?.issues ?? [],
  filterTypes: (type: string) => webhookFields.filterTypes.safeParse([type]).error?.issues ?? [],
};

describe.each(Object.entries(problemsOf))("%s", (_, problems) => {
  it.each([
    ["comment.aded", "comment.add"],
    ["Comment.Add", "comment.add"],
    ["comment-annotation.add", "comment_annotation.add"],
    ["huddle.joined", "huddle.join"],
    ["recording.started", undefined],
    ["hudle.join", "huddle.join"],
    ["document.ad", "document.add"],
  ])("%s", (type, meant) => {
    const messages = problems(type).map(({ message }) => message);
    expect(messages).toEqual(meant === undefined ? [] : [`Would have no effect. Did you mean ${meant}?`]);
  });

  it("takes every type, and any that is near to none: the specification does not list all", () => {
    for (const type of [...eventTypes, "huddle.create", "constructor", "toString", "x".repeat(128)])
      expect(problems(type), type).toEqual([]);
  });
});

it("compares no more names than a setting can have", () => {
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`coment.${index}`, true]));
  const { issues } = EventTriggers.safeParse(many).error ?? expect.fail();
  expect(issues).toMatchObject([{ path: [], message: "Must have at most 500 entries." }]);
});
