import { describe, expect, it } from "vitest";
import { headlineOf, render } from "../../../lib/notifications/visible.ts";
import type { TemplateData } from "../../../lib/schema/notifications.ts";

const content = (template: string, data?: Record<string, unknown>) => ({
  actionUser: { userId: "ann", name: "Ann" },
  displayHeadlineMessageTemplate: template,
  displayHeadlineMessageTemplateData: data as TemplateData | undefined,
  notificationSource: "custom",
  isNotificationResolverUsed: false,
  notifyUsers: [],
  notifyAll: true,
  verifyUserPermissions: false,
  access: [],
});
const recipient = { userId: "u", name: "Ursula" };

describe("a headline", () => {
  it.each([
    ["{actionUser} greets {recipientUser}", undefined, "Ann greets Ursula"],
    ["{actionUser} greets {recipientUser}", { recipientUser: "you" }, "Ann greets you"],
    ["{actionUser}", { actionUser: { userId: "ben", name: "Ben" } }, "Ben"],
    ["{actionUser}", { actionUser: { userId: "ben" } }, "ben"],
    ["{a}{b}{a}", { a: "1", b: "2" }, "121"],
    ["{unknown} {constructor} {__proto__} {toString}", {}, "{unknown} {constructor} {__proto__} {toString}"],
    ["{a}", { a: "{b}", b: "no" }, "{b}"],
    ["{a} { a } {{a}} {} {", { a: "1" }, "1 1 {1} {} {"],
    ["{ actionUser } sees {\ta b }{a }", { "a b": "2", "a ": "3", a: "1" }, "Ann sees 23"],
    ["{a}", { a: "$& $1" }, "$& $1"],
    ["no variables", {}, "no variables"],
  ])("%j with %j is %j", (template, data, expected) => {
    expect(headlineOf(content(template, data), recipient)).toBe(expected);
  });

  it("has ids in place of missing names", () => {
    const nameless = { ...content("{actionUser} {recipientUser}"), actionUser: { userId: "ann" } };
    expect(headlineOf(nameless, { userId: "u" })).toBe("ann u");
  });

  it("is truncated to 65,536 characters, and ends with a mark then, without a lone surrogate", () => {
    const text = render("{a}".repeat(20_000), new Map([["a", "🦜".repeat(16_000)]]));
    expect(text).toBe(`${"🦜".repeat(32_767)}…`);
    const full = "x".repeat(65_536);
    expect(render("{a}", new Map([["a", full]]))).toBe(full);
    expect(render("{a}y", new Map([["a", full]]))).toBe(`${full.slice(1)}…`);
  });
});
