import { beforeEach, describe, expect, it } from "vitest";
import { Awareness } from "../../../../../infra/client/source/live/awareness.ts";
import { LiveDocument } from "../../../../../infra/client/source/live/document.ts";
import { onPublish } from "../../../../../infra/stack/live/aware-on-publish.js";
import { Clock, Engine, livePage, Service } from "../../../../support/client/live-page.ts";

const identity = { handlerContext: { userId: "alice" } };
const place = { organizationId: "acme", documentId: "plan" };

let clock: Clock;
let engine: Engine;
let service: Service;

beforeEach(() => {
  [clock, engine, service] = [new Clock(), new Engine(), new Service()];
});

async function opened(user: string, heard: Parameters<LiveDocument["subscribe"]>[0] = { peers: () => undefined }) {
  const { shared } = livePage(user, engine, service, clock);
  const document = new LiveDocument(place, shared);
  const stop = document.subscribe(heard);
  await clock.pass(0);
  const states = () => document.getSnapshot().peers.map(({ user, state }) => [user.userId, state]);
  return { document, stop, states };
}
const published = () => engine.count("publish");

describe("what a page shares", () => {
  it("leaves with the page, for one that looks at all of the document too", async () => {
    const [alice, bob] = [await opened("alice", () => undefined), await opened("bob")];
    await clock.pass(500);
    expect(alice.states()).toEqual([["bob", {}]]);
    bob.stop();
    await clock.pass(1_500);
    expect(alice.states()).toEqual([]);
  });

  it("is seen by the others, with the user of its ticket, and comes to those who join later", async () => {
    const [alice, bob] = [await opened("alice"), await opened("bob")];
    alice.document.share("cursor", { at: 3 });
    await clock.pass(500);
    expect(bob.document.getSnapshot().peers).toEqual([
      { page: expect.any(String), user: { userId: "alice", name: "alice!" }, state: { cursor: { at: 3 } } },
    ]);
    const carol = await opened("carol");
    await clock.pass(500);
    expect(carol.states().toSorted()).toEqual([
      ["alice", { cursor: { at: 3 } }],
      ["bob", {}],
    ]);
  });

  it("is sent four times a second at most, in its last state", async () => {
    const [alice, bob] = [await opened("alice"), await opened("bob")];
    await clock.pass(1_000);
    const before = published();
    for (let at = 0; at < 99; at++) {
      alice.document.share("cursor", at);
      await clock.pass(10);
    }
    expect(published() - before).toBeLessThanOrEqual(4);
    await clock.pass(250);
    expect(bob.states()).toEqual([["alice", { cursor: 98 }]]);
  });

  it("is not sent while the page is alone, except once when it comes", async () => {
    const alice = await opened("alice");
    await clock.pass(250);
    for (let at = 0; at < 10; at++) {
      alice.document.share("cursor", at);
      await clock.pass(10_000);
    }
    expect(published()).toBe(1);
  });

  it("comes back after all messages of both pages were lost for a minute", async () => {
    const [alice, bob] = [await opened("alice"), await opened("bob")];
    const seen = () => [alice, bob].map(({ states }) => states().length);
    await clock.pass(500);
    expect(seen()).toEqual([1, 1]);
    engine.loses.add("publish");
    await clock.pass(60_000);
    expect(seen()).toEqual([0, 0]);
    engine.loses.clear();
    await clock.pass(120_000);
    expect(seen()).toEqual([1, 1]);
  });

  it("is not sent again without a change, nor by a page that shares nothing and asks for no peers", async () => {
    const [alice] = [await opened("alice"), await opened("bob")];
    await clock.pass(1_000);
    const { shared } = livePage("carol", engine, service, clock);
    new LiveDocument(place, shared).subscribe(() => undefined);
    alice.document.share("cursor", { at: 1 });
    await clock.pass(1_000);
    const before = published();
    alice.document.share("cursor", { at: 1 });
    await clock.pass(1_000);
    expect(published()).toBe(before);
  });

  it("has at most 4 KB together, and what is too much changes nothing", async () => {
    const [alice, bob] = [await opened("alice"), await opened("bob")];
    alice.document.share("name", "x");
    expect(() => alice.document.share("cursor", "ä".repeat(2_100))).toThrow(RangeError);
    await clock.pass(500);
    expect(bob.states()).toEqual([["alice", { name: "x" }]]);
  });

  it.each(["x", "é", "語", "🦜", '"', "\u0000", "\ud800"])("is never too long for the engine: %j", async (unit) => {
    const texts: string[] = [];
    const share = { publish: (text: string) => void texts.push(text), changed: () => undefined };
    const page = new Awareness(clock.surroundings(expect.fail), share);
    const fits = (length: number) => {
      try {
        page.share("cursor", unit.repeat(length));
        return true;
      } catch {
        return false;
      }
    };
    page.use();
    let [most, tooMuch] = [0, 20_000];
    while (tooMuch - most > 1) {
      const length = Math.floor((most + tooMuch) / 2);
      if (fits(length)) most = length;
      else tooMuch = length;
    }
    fits(most);
    // Its first message says that it is new. The later ones count.
    for (let joined = 0; joined < 12; joined++) {
      page.join();
      await clock.pass(1_000);
    }
    const outcomes = texts.map((text) => onPublish({ identity, events: [{ id: "1", payload: JSON.parse(text) }] }));
    expect(outcomes.flat().filter(({ error }) => error)).toEqual([]);
    expect(texts.length).toBeGreaterThan(10);
    expect(Math.max(...texts.map((text) => Buffer.byteLength(text)))).toBeGreaterThan(4_000);
  });
});

it("pages that come in the next window of names and those before it see each other", async () => {
  const alice = await opened("alice");
  alice.document.share("cursor", 1);
  service.window = 1;
  const bob = await opened("bob");
  bob.document.share("cursor", 2);
  await clock.pass(1_000);
  expect([alice.states(), bob.states()]).toEqual([[["bob", { cursor: 2 }]], [["alice", { cursor: 1 }]]]);
});

describe("a page that leaves", () => {
  it("disappears at once if it says so", async () => {
    const [alice, bob] = [await opened("alice"), await opened("bob")];
    await clock.pass(500);
    alice.stop();
    await clock.pass(1_000);
    expect(bob.states()).toEqual([]);
  });

  it("disappears after 30 s of silence, and not while it lives", async () => {
    const [alice, bob] = [await opened("alice"), await opened("bob")];
    alice.document.share("cursor", 1);
    await clock.pass(100_000);
    expect(bob.states()).toHaveLength(1);
    engine.relay = () => undefined;
    await clock.pass(36_000);
    expect(bob.states()).toEqual([]);
  });

  it("takes its peers along when its own connection ends, and finds them again", async () => {
    const [alice] = [await opened("alice"), await opened("bob")];
    await clock.pass(500);
    engine.open[0]?.drop();
    expect(alice.states()).toEqual([]);
    await clock.pass(2_000);
    expect(alice.states()).toEqual([["bob", {}]]);
  });
});

describe("a message on the channel", () => {
  it.each([
    ["of another version", { v: 2 }],
    ["of a page that is no object", "text"],
    ["whose state is a text", { state: "x" }],
    ["without a clock", { clock: undefined }],
  ])("%s is ignored", async (_, wrong) => {
    const bob = await opened("bob");
    const state = typeof wrong === "string" ? wrong : { v: 1, page: "p", clock: 1, state: {}, ...wrong };
    engine.tell("/aware/0", { user: { userId: "mallory" }, state });
    engine.tell("/aware/0", { state: { v: 1, page: "p", clock: 1, state: {} } });
    await clock.pass(500);
    expect(bob.states()).toEqual([]);
  });

  it("that is late changes nothing, and nobody moves the cursor of another user", async () => {
    const bob = await opened("bob");
    const message = { v: 1, page: "p", clock: 5, state: { at: 5 } };
    const user = { userId: "alice" };
    engine.tell("/aware/0", { user, state: message });
    engine.tell("/aware/1", { user, state: { ...message, clock: 4, state: { at: 4 } } });
    engine.tell("/aware/1", { user: { userId: "mallory" }, state: { ...message, clock: 9, state: null } });
    await clock.pass(500);
    expect(bob.states()).toEqual([["alice", { at: 5 }]]);
  });

  it("shows the user of the ticket, whoever its state names", async () => {
    const bob = await opened("bob");
    const forged = { user: { userId: "bob", name: "Bob" }, users: [{ userId: "bob" }] };
    const text = JSON.stringify({ v: 1, page: "p", clock: 1, ...forged, state: forged });
    const state = JSON.parse(text.replace('"users"', '"__proto__":{"userId":"bob"},"users"'));
    engine.tell("/aware/0", { user: { userId: "mallory" }, state });
    await clock.pass(500);
    expect(bob.document.getSnapshot().peers.map(({ user }) => user)).toEqual([{ userId: "mallory" }]);
  });

  it("of a user who pretends to have many pages shows 20 of them, and the pages of others", async () => {
    const bob = await opened("bob");
    for (let page = 0; page < 1_000; page++) {
      engine.tell("/aware/0", { user: { userId: "mallory" }, state: { v: 1, page: `p${page}`, clock: 1, state: {} } });
    }
    engine.tell("/aware/0", { user: { userId: "alice" }, state: { v: 1, page: "p", clock: 1, state: {} } });
    await clock.pass(500);
    expect(bob.states().filter(([userId]) => userId === "mallory")).toHaveLength(20);
    expect(bob.states().at(-1)).toEqual(["alice", {}]);
  });
});

describe("a crowd", () => {
  it("sends about as often as 16 pages, and nobody is taken for one who has left", async () => {
    const pages = [];
    for (let index = 0; index < 80; index++) pages.push(await opened(`u${index}`));
    await clock.pass(60_000);
    const before = published();
    await clock.pass(600_000);
    // 16 pages say 40 times in ten minutes that they are there.
    expect(published() - before).toBeLessThan(16 * 40 * 1.2);
    expect(pages.map(({ states }) => states().length)).toEqual(pages.map(() => 79));
  });

  it("answers one who comes within its pace, and stays when most of it leaves", async () => {
    const pages = [];
    for (let index = 0; index < 80; index++) pages.push(await opened(`u${index}`));
    await clock.pass(120_000);
    const before = published();
    const late = await opened("late");
    await clock.pass(3_000);
    expect(late.states()).toHaveLength(80);
    expect(published() - before).toBeLessThan(100);
    for (const { stop } of pages.splice(2)) stop();
    for (let second = 0; second < 60; second++) {
      await clock.pass(1_000);
      if (second > 2) expect(late.states()).toHaveLength(2);
    }
  });
});
