import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { LiveDocument } from "../../../../../infra/client/source/live/document.ts";
import { type Clock, type Engine, failure, livePage, type Service } from "../../../../support/client/live-page.ts";

const place = { organizationId: "acme", documentId: "plan" };
const thread = (annotationId: string, text = "Shall we?") => ({ annotationId, comments: [{ commentId: "c1", text }] });

let clock: Clock;
let engine: Engine;
let service: Service;
let document: LiveDocument;
let states: string[];

beforeEach(() => {
  const page = livePage();
  ({ clock, engine, service } = page);
  document = new LiveDocument(place, page.shared);
  states = [];
  service.tables.comments?.set("a", thread("a"));
});

const open = async () => {
  const stop = document.subscribe({ comments: () => undefined, status: ({ state }) => states.push(state) });
  await clock.pass(0);
  return stop;
};
const ids = () => document.getSnapshot().comments?.map(({ annotationId }) => annotationId);
const state = () => document.getSnapshot().status.state;
/** Changes the table, and says so. */
const changed = (id: string, item: object | undefined, seq = ++service.seq) => {
  if (item) service.tables.comments?.set(id, item as never);
  else service.tables.comments?.delete(id);
  engine.tell("/doc/0", { v: 1, seq, kind: "comments", ids: [id] });
};
const opens = () => service.log.filter((each) => each === "open").length;

describe("a document that somebody looks at", () => {
  it("is opened, subscribed under both names with the ticket, and read after that", async () => {
    await open();
    expect(service.log).toEqual(["open", "get comments all"]);
    expect(engine.sent.map(({ type, channel }) => [type, channel])).toEqual([
      ["connection_init", undefined],
      ...["/doc/0", "/doc/1", "/aware/0", "/aware/1"].map((channel) => ["subscribe", channel]),
    ]);
    const [name, header = ""] = engine.sockets[0]?.protocols ?? [];
    expect(name).toBe("aws-appsync-event-ws");
    const allowed = { host: "live.example", Authorization: "ticket-of-alice" };
    expect(JSON.parse(Buffer.from(header.replace("header-", ""), "base64url").toString())).toEqual(allowed);
    expect(engine.sent.at(-1)?.authorization).toEqual(allowed);
    expect(document.getSnapshot()).toMatchObject({
      status: { state: "live" },
      role: "editor",
      comments: [thread("a")],
    });
    expect(states).toEqual(["live"]);
  });

  it("shows what a message names: changed, added and deleted", async () => {
    await open();
    changed("a", thread("a", "Yes."));
    changed("b", thread("b"));
    await clock.pass(0);
    expect(document.getSnapshot().comments).toEqual([thread("a", "Yes."), thread("b")]);
    changed("a", undefined);
    await clock.pass(0);
    expect(ids()).toEqual(["b"]);
  });

  it("keeps what has not changed the same object, so that nobody renders it again", async () => {
    await open();
    const before = document.getSnapshot();
    changed("b", thread("b"));
    await clock.pass(0);
    const after = document.getSnapshot();
    expect(after.comments?.[0]).toBe(before.comments?.[0]);
    expect(after.status).toBe(before.status);
    changed("a", thread("a"));
    await clock.pass(30_000);
    expect(document.getSnapshot()).toBe(after);
  });

  it("reads only what somebody looks at; a function looks at all", async () => {
    await open();
    const stop = document.subscribe(() => undefined);
    await clock.pass(0);
    expect(service.log).toEqual(["open", "get comments all", "get reactions all", "presence"]);
    stop();
    service.log.length = 0;
    await clock.pass(30_000);
    expect(service.log).toEqual(["get comments all"]);
  });

  it("is open once for all, and closed a second after the last", async () => {
    const [one, other] = [await open(), await open()];
    one();
    await clock.pass(5_000);
    expect(engine.open).toHaveLength(1);
    other();
    const again = await open();
    await clock.pass(5_000);
    expect([opens(), engine.open.length]).toEqual([1, 1]);
    again();
    await clock.pass(1_000);
    expect(engine.open).toHaveLength(0);
    expect(service.log.at(-1)).toBe("close keepalive");
    expect([document.getSnapshot().comments, clock.timers]).toEqual([undefined, 0]);
  });

  it("is renewed every two minutes, under new names, and leaves old ones a renewal later", async () => {
    await open();
    const listened = () => [...(engine.open[0]?.subscribed.keys() ?? [])].filter((name) => name.startsWith("/doc"));
    service.window = 1;
    await clock.pass(120_000);
    expect([opens(), listened()]).toEqual([2, ["/doc/0", "/doc/1", "/doc/2"]]);
    service.window = 2;
    await clock.pass(120_000);
    expect([opens(), listened()]).toEqual([3, ["/doc/1", "/doc/2", "/doc/3"]]);
    expect(engine.sockets).toHaveLength(1);
  });

  it("keeps a listener that throws from the others", async () => {
    const printed = vi.spyOn(console, "error").mockReturnValue();
    onTestFinished(() => printed.mockRestore());
    document.subscribe(() => {
      throw new Error("mine");
    });
    await open();
    expect(printed).toHaveBeenCalledWith(new Error("mine"));
    expect(states).toEqual(["live"]);
  });
});

describe("after a loss", () => {
  it("it is opened and read again, after a random wait that grows to 30 s", async () => {
    await open();
    engine.isDown = true;
    engine.open[0]?.drop();
    expect(states.at(-1)).toBe("reconnecting");
    const times: number[] = [];
    service.before = (name) => name === "open" && times.push(clock.ms);
    clock.random = 1;
    await clock.pass(100_000);
    expect(times.map((at, index) => at - (times[index - 1] ?? 0))).toEqual([
      625, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
    ]);
    engine.isDown = false;
    service.tables.comments?.set("b", thread("b"));
    await clock.pass(30_000);
    expect([state(), ids()]).toEqual(["live", ["a", "b"]]);
  });

  it("a thousand pages come back over a second, and not at once", async () => {
    await open();
    for (const random of [0, 0.999]) {
      await clock.pass(40_000);
      clock.random = random;
      const before = opens();
      engine.open[0]?.drop();
      await clock.pass(random === 0 ? 249 : 998);
      expect(opens()).toBe(before);
      await clock.pass(2);
      expect(opens()).toBe(before + 1);
    }
  });

  it("it still shows what it can read while no connection is possible", async () => {
    engine.isDown = true;
    await open();
    await clock.pass(1_000);
    expect([state(), ids()]).toEqual(["reconnecting", ["a"]]);
  });

  it("it is opened anew where a subscription is refused, or never answered", async () => {
    engine.refuses.add("subscribe");
    await open();
    expect([state(), opens()]).toEqual(["reconnecting", 1]);
    engine.refuses.clear();
    await clock.pass(1_000);
    expect([state(), opens()]).toEqual(["live", 2]);
  });

  it.each([
    [0, 7_250],
    [1, 8_000],
  ])("it waits as long as the service asks, and a random time more: with %d, %d ms", async (random, ms) => {
    service.before = (name) => {
      if (name === "open") throw failure("RESOURCE_EXHAUSTED", { retryAfterSeconds: 7 });
    };
    clock.random = random;
    await open();
    await clock.pass(ms - 1);
    expect(opens()).toBe(1);
    service.before = () => undefined;
    await clock.pass(1);
    expect([opens(), state()]).toEqual([2, "live"]);
  });

  it.each([
    [0, 9_000],
    [1, 17_000],
  ])("a read waits as long as the service asks, and a random time more: with %d, %d ms", async (random, ms) => {
    service.before = (name) => {
      if (name === "get") throw failure("RESOURCE_EXHAUSTED", { retryAfterSeconds: 7 });
    };
    clock.random = random;
    await open();
    const before = service.log.length;
    await clock.pass(ms - 1);
    expect(service.log.length).toBe(before);
    service.before = () => undefined;
    await clock.pass(1);
    expect(ids()).toEqual(["a"]);
  });

  it("of a message, it is read again when a later message or a renewal shows the hole", async () => {
    await open();
    await clock.pass(40_000);
    service.tables.comments?.set("lost", thread("lost"));
    service.seq++;
    changed("b", thread("b"));
    await clock.pass(199);
    expect(ids()).toEqual(["a", "b"]);
    await clock.pass(1);
    expect(ids()).toEqual(["a", "lost", "b"]);
    service.tables.comments?.set("last", thread("last"));
    service.seq++;
    await clock.pass(80_000);
    expect(ids()).toContain("last");
  });

  it("of the customer's server, it keeps its state, says why, and goes on when a token comes", async () => {
    await open();
    const down = failure("UNAUTHENTICATED", { httpStatus: 0 });
    service.before = () => {
      throw down;
    };
    await clock.pass(3 * 3_600_000);
    expect(document.getSnapshot().status).toEqual({ state: "reconnecting", error: down });
    expect(ids()).toEqual(["a"]);
    service.before = () => undefined;
    service.tables.comments?.set("b", thread("b"));
    await clock.pass(30_000);
    expect([state(), ids()]).toEqual(["live", ["a", "b"]]);
  });

  it("of the access, it is empty, and is asked for again when the page is shown", async () => {
    await open();
    service.before = (name) => {
      if (name === "open") throw failure("PERMISSION_DENIED");
    };
    await clock.pass(120_000);
    expect(document.getSnapshot()).toMatchObject({ status: { state: "denied" }, role: undefined, comments: undefined });
    await clock.pass(600_000);
    expect([opens(), engine.open.length, clock.timers]).toEqual([2, 0, 0]);
    service.before = () => undefined;
    await clock.change("shown");
    await clock.pass(0);
    expect([state(), ids()]).toEqual(["live", ["a"]]);
  });

  it("of the access, it is asked for within seconds of the message that something of it has changed", async () => {
    await open();
    service.role = "viewer";
    engine.tell("/doc/0", { v: 1, seq: ++service.seq, kind: "document" });
    await clock.pass(2_000);
    expect([document.getSnapshot().role, opens()]).toEqual(["viewer", 2]);
  });
});

it("a reply from before a reconnection changes nothing, and does not keep the next read waiting", async () => {
  await open();
  await clock.pass(40_000);
  const gate = Promise.withResolvers<void>();
  service.before = (name) => (name === "get" ? gate.promise : undefined);
  changed("a", undefined);
  await clock.pass(0);
  service.before = () => undefined;
  engine.open[0]?.drop();
  await clock.pass(1_000);
  service.tables.comments?.set("a", thread("a", "Back"));
  changed("a", thread("a", "Back"));
  await clock.pass(0);
  service.tables.comments?.clear();
  gate.resolve();
  await clock.pass(0);
  expect(document.getSnapshot().comments).toEqual([thread("a", "Back")]);
});

describe("the page's life", () => {
  it("pauses a page that is hidden for a minute, and opens it again when it is shown", async () => {
    await open();
    await clock.change("hidden");
    await clock.pass(59_999);
    expect(state()).toBe("live");
    await clock.pass(1);
    expect([state(), engine.open.length, ids()]).toEqual(["paused", 0, ["a"]]);
    service.tables.comments?.set("b", thread("b"));
    await clock.pass(3_600_000);
    expect([opens(), clock.timers]).toEqual([1, 0]);
    await clock.change("shown");
    await clock.pass(0);
    expect([state(), ids(), opens()]).toEqual(["live", ["a", "b"], 2]);
  });

  it("keeps a page open that is shown again within the minute", async () => {
    await open();
    await clock.change("hidden");
    await clock.pass(30_000);
    await clock.change("shown");
    await clock.pass(60_000);
    expect([state(), opens()]).toEqual(["live", 1]);
  });

  it.each([1, 2])("ends the presence when the reply of opening %i comes after the end of the page", async (opening) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    service.before = (name) => (name === "open" && opens() === opening ? promise : undefined);
    const stop = await open();
    await clock.pass(121_000);
    stop();
    await clock.pass(1_000);
    const before = service.log.length;
    resolve();
    await clock.pass(0);
    expect(service.log.slice(before)).toEqual(["close keepalive"]);
  });

  it("closes a page that ends, and opens it when the browser takes it from its cache", async () => {
    await open();
    await clock.change("left");
    await clock.change("hidden");
    expect([service.log.at(-1), state()]).toEqual(["close keepalive", "paused"]);
    await clock.pass(0);
    expect(engine.open).toEqual([]);
    await clock.change("shown");
    await clock.pass(0);
    expect([state(), opens()]).toEqual(["live", 2]);
  });

  it("says when the browser is offline, and is back soon after it is online", async () => {
    await open();
    await clock.change("offline");
    expect(document.getSnapshot().status).toMatchObject({ state: "reconnecting", error: { status: "UNAVAILABLE" } });
    service.before = (name) => {
      if (name === "open") throw failure("UNAVAILABLE");
    };
    await clock.pass(3_600_000);
    service.before = () => undefined;
    await clock.change("online");
    await clock.pass(1_250);
    expect([state(), ids()]).toEqual(["live", ["a"]]);
  });

  it("reads everything when the browser is online again while an attempt waits for its subscriptions", async () => {
    await open();
    engine.open[0]?.drop();
    engine.loses.add("subscribe");
    await clock.pass(1_000);
    expect([state(), engine.open.length]).toEqual(["reconnecting", 1]);
    service.tables.comments?.set("b", thread("b"));
    engine.loses.clear();
    await clock.change("online");
    await clock.pass(1_250);
    expect([state(), ids()]).toEqual(["live", ["a", "b"]]);
  });

  it("reads everything after a night asleep, though the socket and the timers say that no time has passed", async () => {
    await open();
    await clock.pass(60_000);
    service.tables.comments?.set("b", thread("b"));
    clock.sleptMs = 8 * 3_600_000;
    await clock.pass(11_000);
    expect([state(), ids(), engine.sockets.length]).toEqual(["live", ["a", "b"], 2]);
  });

  it("finds a connection that is silent for longer than the engine says", async () => {
    await open();
    await clock.pass(119_000);
    service.before = () => new Promise(() => undefined);
    await clock.pass(200_000);
    expect(states.at(-1)).toBe("reconnecting");
  });
});

describe("presence", () => {
  it("is read anew at a message and each minute while others are there", async () => {
    document.subscribe({ presence: () => undefined });
    service.present = [{ userId: "alice" }];
    await clock.pass(60_000);
    service.log.length = 0;
    service.present = [{ userId: "alice" }, { userId: "bob" }];
    engine.tell("/doc/0", { v: 1, seq: ++service.seq, kind: "presence", ids: ["bob"] });
    await clock.pass(0);
    expect(document.getSnapshot().presence).toEqual(service.present);
    service.present = [{ userId: "alice" }];
    await clock.pass(60_000);
    expect(document.getSnapshot().presence).toEqual(service.present);
    await clock.pass(59_000);
    expect(service.log.filter((each) => each === "presence")).toHaveLength(2);
  });

  it("of many is read once for those who come soon after one another", async () => {
    document.subscribe({ presence: () => undefined });
    service.present = Array.from({ length: 100 }, (_, index) => ({ userId: `u${index}` }));
    await clock.pass(40_000);
    service.log.length = 0;
    for (let index = 0; index < 100; index++) {
      const userId = `late${index}`;
      service.present.push({ userId });
      engine.tell("/doc/0", { v: 1, seq: ++service.seq, kind: "presence", ids: [userId] });
      await clock.pass(10);
    }
    await clock.pass(10_000);
    expect(service.log).toEqual(["presence", "presence"]);
    expect(document.getSnapshot().presence).toHaveLength(200);
  });

  it("of the user is renewed after another page of the user has closed", async () => {
    document.subscribe({ presence: () => undefined });
    service.present = [{ userId: "alice" }, { userId: "bob" }];
    await clock.pass(40_000);
    service.present = [{ userId: "bob" }];
    engine.tell("/doc/0", { v: 1, seq: ++service.seq, kind: "presence" });
    await clock.pass(2_000);
    expect(opens()).toBe(2);
  });

  it.each([
    [100, 3],
    [300, 1],
    [1_000, 0],
  ])("of %i users is read %i times in three minutes in which nobody comes or leaves", async (users, reads) => {
    service.present = Array.from({ length: users }, (_, index) => ({ userId: `user ${index}` }));
    document.subscribe({ presence: () => undefined });
    await clock.pass(85_000);
    service.log.length = 0;
    await clock.pass(180_000);
    expect(service.log.filter((each) => each === "presence")).toHaveLength(reads);
  });
});
