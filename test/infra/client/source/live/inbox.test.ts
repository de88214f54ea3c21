import { beforeEach, expect, it } from "vitest";
import { LiveInbox } from "../../../../../infra/client/source/live/inbox.ts";
import { type Clock, type Engine, failure, livePage, type Service } from "../../../../support/client/live-page.ts";

let clock: Clock;
let engine: Engine;
let service: Service;
let inbox: LiveInbox;

beforeEach(async () => {
  const page = livePage();
  ({ clock, engine, service } = page);
  inbox = new LiveInbox({ organizationId: "acme" }, page.shared);
  service.notifications = [{ notificationId: "n1", isRead: false }];
  inbox.subscribe(() => undefined);
  await clock.pass(0);
});

const page = () => inbox.getSnapshot().notifications;

it("shows the newest notifications, under the names of the user alone", () => {
  expect(page()).toMatchObject({ notifications: [{ notificationId: "n1" }], unreadCount: 1 });
  expect(engine.sent.flatMap(({ channel }) => channel ?? [])).toEqual(["/user/0", "/user/1"]);
});

it("is read at a message, and at each renewal, since a message can be lost", async () => {
  service.notifications = [{ notificationId: "n2", isRead: false }, ...service.notifications];
  engine.tell("/user/0", { v: 1, kind: "notifications", ids: ["n2"] });
  await clock.pass(0);
  expect(page()?.unreadCount).toBe(2);
  service.notifications = [];
  await clock.pass(40_000);
  service.notifications = [{ notificationId: "n3", isRead: false }];
  await clock.pass(80_000);
  expect(page()?.notifications).toEqual(service.notifications);
});

it("shows what is read at once, and what is stored if that fails", async () => {
  const read = inbox.read(["n1"]);
  expect(page()).toMatchObject({ notifications: [{ isRead: true }], unreadCount: 0 });
  await read;
  await clock.pass(0);
  expect(page()?.unreadCount).toBe(0);
  service.notifications = [{ notificationId: "n1", isRead: false }];
  service.before = (name) => {
    if (name === "read") throw failure("UNAVAILABLE");
  };
  await expect(inbox.read()).rejects.toMatchObject({ status: "UNAVAILABLE" });
  await clock.pass(0);
  expect(page()?.unreadCount).toBe(1);
});
