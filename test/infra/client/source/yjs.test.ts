import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { Awareness } from "y-protocols/awareness";
import * as Y from "yjs";
import { LiveDocument } from "../../../../infra/client/source/live/document.ts";
import { CollaborationProvider } from "../../../../infra/client/source/yjs.ts";
import { Clock, Engine, failure, livePage, Service } from "../../../support/client/live-page.ts";

const place = { organizationId: "acme", documentId: "plan" };

let clock: Clock;
let engine: Engine;
let service: Service;

beforeEach(() => {
  [clock, engine, service] = [new Clock(), new Engine(), new Service()];
  service.engine = engine;
});

function clientOf(user: string) {
  const { shared } = livePage(user, engine, service, clock);
  const document = new LiveDocument(place, shared);
  return { document: () => document, crdtGet: shared.calls.crdtGet, crdtUpdate: shared.calls.crdtUpdate };
}

/** A page of a user with an editor, and the events of its provider. */
async function edited(user: string, options: object = {}, doc = new Y.Doc()) {
  const client = clientOf(user);
  const provider = new CollaborationProvider({ client, ...place, editorId: "body", doc, type: "text", ...options });
  const events: unknown[] = [];
  for (const name of ["status", "sync", "synced", "authenticated", "replaced", "refused", "unsyncedChanges"] as const) {
    provider.on(name, (event: unknown) => events.push([name, event]));
  }
  onTestFinished(() => provider.destroy());
  await clock.pass(0);
  const text = doc.getText("content");
  return { client, provider, doc, text, events, write: (at: number, what: string) => text.insert(at, what) };
}
const calls = (name: string) => service.log.filter((each) => each.startsWith(name)).length;
const stored = () => service.editors.get("body")?.doc.getText("content").toString();
const store = (text: string, generation = "g1") => {
  const doc = new Y.Doc();
  doc.getText("content").insert(0, text);
  service.editors.set("body", { generation, doc });
};

describe("the content", () => {
  it("is loaded, and what either writes is shown to the other", async () => {
    store("Plan");
    const [alice, bob] = [await edited("alice"), await edited("bob")];
    expect([alice.text.toString(), alice.provider.synced]).toEqual(["Plan", true]);
    alice.write(4, " A");
    bob.write(0, "The ");
    await clock.pass(300);
    expect([alice.text.toString(), bob.text.toString(), stored()]).toEqual(Array(3).fill("The Plan A"));
    expect(alice.provider.hasUnsyncedChanges).toBe(false);
  });

  it("of a new editor is added with its type at the first change", async () => {
    const alice = await edited("alice");
    expect([alice.provider.synced, alice.provider.generation]).toEqual([true, undefined]);
    alice.write(0, "Hi");
    await clock.pass(100);
    expect([stored(), alice.provider.generation]).toEqual(["Hi", "g1"]);
  });

  it("of a new editor is sent again as it was after a lost reply, though it was read meanwhile", async () => {
    const alice = await edited("alice");
    service.after = (name) => {
      if (name !== "crdtUpdate") return;
      service.after = () => undefined;
      throw failure("UNAVAILABLE", { httpStatus: 0 });
    };
    alice.write(0, "Hi");
    await clock.pass(10_000);
    alice.write(2, ", all");
    await clock.pass(1_000);
    expect([stored(), alice.provider.hasUnsyncedChanges, alice.provider.generation]).toEqual(["Hi, all", false, "g1"]);
    expect(alice.events.flat()).not.toContain("refused");
  });

  it("is sent in batches of 100 ms, each once", async () => {
    store("");
    const alice = await edited("alice");
    for (let at = 0; at < 50; at++) {
      alice.write(at, "x");
      await clock.pass(10);
    }
    await clock.pass(100);
    expect([stored(), new Set(service.keys).size]).toEqual(["x".repeat(50), calls("crdtUpdate")]);
    expect(calls("crdtUpdate")).toBeLessThanOrEqual(6);
  });

  it("that waited is sent in updates of 290 KB at most", async () => {
    store("");
    const alice = await edited("alice");
    service.before = (name) => name === "crdtUpdate" && Promise.reject(failure("UNAVAILABLE"));
    for (let part = 0; part < 5; part++) alice.write(0, String(part).repeat(100_000));
    await clock.pass(5_000);
    const before = calls("crdtUpdate");
    service.before = () => undefined;
    await clock.pass(60_000);
    expect([stored()?.length, calls("crdtUpdate") - before]).toEqual([500_000, 3]);
  });

  it("is sent again with the same key after each loss, and stays while the customer's server is down", async () => {
    store("");
    const alice = await edited("alice");
    service.before = () => Promise.reject(failure("UNAUTHENTICATED", { httpStatus: 0 }));
    alice.write(0, "Later");
    await clock.pass(600_000);
    expect([alice.provider.hasUnsyncedChanges, alice.provider.synced]).toEqual([true, false]);
    service.before = () => undefined;
    await clock.pass(30_000);
    expect([stored(), new Set(service.keys).size]).toEqual(["Later", 1]);
    expect([alice.provider.synced, alice.provider.status]).toEqual([true, "connected"]);
  });

  it("that the document had before, such as from an offline store, is sent after the first read", async () => {
    store("B");
    const doc = new Y.Doc();
    doc.getText("content").insert(0, "A");
    const alice = await edited("alice", {}, doc);
    await clock.pass(100);
    expect(stored()).toBe(alice.text.toString());
    expect(stored()).toHaveLength(2);
  });

  it("that the page has not sent is sent at once when it is left", async () => {
    store("");
    const alice = await edited("alice");
    alice.write(0, "Bye");
    await clock.change("left");
    expect([stored(), service.log.includes("crdtUpdate keepalive")]).toEqual(["Bye", true]);
  });

  it("is undone only where it is one's own", async () => {
    store("");
    const [alice, bob] = [await edited("alice"), await edited("bob")];
    const undo = new Y.UndoManager(alice.text);
    alice.write(0, "mine ");
    await clock.pass(200);
    bob.write(5, "theirs");
    await clock.pass(200);
    undo.undo();
    await clock.pass(200);
    expect([alice.text.toString(), bob.text.toString()]).toEqual(["theirs", "theirs"]);
  });
});

describe("the events", () => {
  it("are those of y-websocket and Hocuspocus, over a loss", async () => {
    store("Plan");
    const alice = await edited("alice");
    const more: unknown[] = [];
    alice.provider.on("connection-close", (_, provider) => more.push(provider === alice.provider));
    alice.provider.on("connect", () => more.push("connect"));
    engine.open[0]?.drop();
    await clock.pass(2_000);
    expect(alice.events).toEqual([
      ["authenticated", { scope: "read-write" }],
      ["status", { status: "connected" }],
      ["sync", true],
      ["synced", { state: true }],
      ["status", { status: "disconnected" }],
      ["sync", false],
      ["status", { status: "connecting" }],
      ["status", { status: "connected" }],
      ["sync", true],
      ["synced", { state: true }],
    ]);
    expect(more).toEqual([true, "connect"]);
  });

  it("are synced again after a renewal that failed, though the connection stayed", async () => {
    store("Plan");
    const alice = await edited("alice");
    service.before = (name) => name === "open" && Promise.reject(failure("UNAVAILABLE"));
    await clock.pass(120_000);
    expect(alice.provider.synced).toBe(false);
    service.before = () => undefined;
    await clock.pass(2_000);
    expect([alice.provider.synced, engine.sockets.length]).toEqual([true, 1]);
  });

  it("end with disconnect, begin again with connect, and leave nothing behind with destroy", async () => {
    store("Plan");
    const alice = await edited("alice");
    alice.provider.disconnect();
    alice.write(0, "Offline ");
    await clock.pass(2_000);
    expect([alice.provider.status, engine.open.length, stored()]).toEqual(["disconnected", 0, "Plan"]);
    alice.provider.connect();
    await clock.pass(100);
    expect(stored()).toBe("Offline Plan");
    alice.provider.destroy();
    await clock.pass(2_000);
    expect([engine.open.length, clock.timers]).toEqual([0, 0]);
  });
});

describe("a viewer", () => {
  it("sends nothing from the first moment, and sends when the role changes", async () => {
    store("Plan");
    service.role = "viewer";
    const alice = await edited("alice");
    expect([alice.provider.isReadOnly, alice.events[0]]).toEqual([true, ["authenticated", { scope: "readonly" }]]);
    alice.write(0, "My ");
    await clock.pass(1_000);
    expect(calls("crdtUpdate")).toBe(0);
    service.role = "editor";
    engine.tell("/doc/0", { v: 1, seq: ++service.seq, kind: "document" });
    await clock.pass(2_000);
    await clock.pass(100);
    expect([alice.provider.isReadOnly, stored()]).toEqual([false, "My Plan"]);
  });

  it("who was an editor is one as soon as the service refuses a change", async () => {
    store("Plan");
    const alice = await edited("alice");
    service.before = (name) => name === "crdtUpdate" && Promise.reject(failure("PERMISSION_DENIED"));
    alice.write(0, "My ");
    await clock.pass(100);
    expect([alice.provider.isReadOnly, alice.provider.hasUnsyncedChanges, calls("crdtUpdate")]).toEqual([
      true,
      true,
      1,
    ]);
  });
});

describe("the provider ends", () => {
  it.each([
    ["deleted and added again", () => store("New", "g2"), false],
    ["deleted", () => void service.editors.delete("body"), true],
  ])("when the content was %s, and sends nothing into the new one", async (_, change, isDeleted) => {
    store("Plan");
    const [reader, writer] = [await edited("alice"), await edited("bob")];
    change();
    writer.write(0, "Old ");
    await clock.pass(100);
    engine.tell("/doc/0", { v: 1, seq: ++service.seq, kind: "crdt", ids: ["body"] });
    await clock.pass(100);
    for (const { provider, events } of [reader, writer]) {
      expect(events).toContainEqual(["replaced", { isDeleted }]);
      expect([provider.status, provider.hasUnsyncedChanges]).toEqual(["disconnected", false]);
    }
    expect(stored()).toBe(isDeleted ? undefined : "New");
    expect(reader.text.toString()).toBe("Plan");
  });

  it("when the content was deleted, although the read that says so is lost at first", async () => {
    store("Plan");
    const alice = await edited("alice");
    service.editors.delete("body");
    service.before = (name) => name === "crdtGet" && Promise.reject(failure("UNAVAILABLE", { httpStatus: 0 }));
    alice.write(0, "Old ");
    await clock.pass(60_000);
    expect([alice.events.flat().includes("refused"), alice.provider.hasUnsyncedChanges]).toEqual([false, true]);
    expect(calls("crdtUpdate")).toBeLessThan(20);
    service.before = () => undefined;
    await clock.pass(60_000);
    expect(alice.events).toContainEqual(["replaced", { isDeleted: true }]);
  });

  it("when content from an earlier life was kept", async () => {
    store("New", "g2");
    const { events } = await edited("alice", { generation: "g1" });
    expect(events).toContainEqual(["replaced", { isDeleted: false }]);
  });
});

describe("what cannot be stored", () => {
  it("is refused: sub-documents, at the beginning and later", async () => {
    const doc = new Y.Doc();
    doc.getMap("content").set("sub", new Y.Doc());
    const given = { client: clientOf("alice"), ...place, editorId: "body", doc };
    expect(() => new CollaborationProvider(given)).toThrow("Sub-documents are not stored");
    store("");
    const alice = await edited("alice");
    alice.doc.getMap("others").set("sub", new Y.Doc());
    await clock.pass(1_000);
    const [, event] = alice.events.find((each) => (each as string[])[0] === "refused") as [string, { error: Error }];
    expect([event.error.message, calls("crdtUpdate")]).toEqual([expect.stringContaining("Sub-documents"), 0]);
  });

  it("is refused: one change of more than 290 KB, and what the service refuses for good", async () => {
    store("");
    const [alice, bob] = [await edited("alice"), await edited("bob")];
    alice.write(0, "x".repeat(300_000));
    service.before = (name) => name === "crdtUpdate" && Promise.reject(failure("RESOURCE_EXHAUSTED"));
    bob.write(0, "x");
    await clock.pass(100);
    const refused = [alice, bob].map(({ events }) => events.filter((each) => (each as string[])[0] === "refused"));
    expect(refused).toMatchObject([
      [["refused", { error: { status: "INVALID_ARGUMENT" } }]],
      [["refused", { error: { status: "RESOURCE_EXHAUSTED" } }]],
    ]);
    expect([alice, bob].map(({ provider }) => provider.hasUnsyncedChanges)).toEqual([true, true]);
  });
});

describe("cursors", () => {
  const cursors = ({ provider }: Awaited<ReturnType<typeof edited>>) =>
    [...(provider.awareness as Awareness).getStates().entries()].filter(([id]) => id !== provider.doc.clientID);

  it("are those of the others, under the users of their tickets", async () => {
    store("");
    const [alice, bob] = [await edited("alice"), await edited("bob")];
    alice.provider.awareness?.setLocalState({ cursor: { anchor: 1 }, user: { name: "Somebody else", color: "#f00" } });
    await clock.pass(500);
    const user = { id: "alice", name: "alice!", color: "#f00" };
    expect(cursors(bob)).toEqual([[alice.doc.clientID, { cursor: { anchor: 1 }, user }]]);
  });

  it("disappear when their page ends, and come back with it", async () => {
    store("");
    const [alice, bob] = [await edited("alice"), await edited("bob")];
    for (const { provider } of [alice, bob]) provider.awareness?.setLocalState({ cursor: null });
    await clock.pass(500);
    expect(cursors(bob)).toHaveLength(1);
    alice.provider.disconnect();
    await clock.pass(1_500);
    expect(cursors(bob)).toEqual([]);
    alice.provider.connect();
    await clock.pass(1_000);
    expect(cursors(bob)).toHaveLength(1);
    engine.sockets.find(({ readyState }) => readyState === 1)?.drop();
    await clock.pass(3_000);
    expect([cursors(alice), cursors(bob)].map(({ length }) => length)).toEqual([1, 1]);
  });

  it("of a client of Yjs are moved only by the page that has it", async () => {
    store("");
    const [alice, bob] = [await edited("alice"), await edited("bob")];
    alice.provider.awareness?.setLocalState({ cursor: "own" });
    await clock.pass(500);
    const said = { id: alice.doc.clientID, clock: 99, state: { cursor: "stolen" } };
    const user = { userId: "mallory" };
    const message = { v: 1, page: "p", clock: 1, state: { "yjs/body": said } };
    engine.tell("/aware/0", { user, state: message });
    const ofBob = { ...said, id: bob.doc.clientID };
    engine.tell("/aware/0", { user, state: { ...message, clock: 2, state: { "yjs/body": ofBob } } });
    await clock.pass(500);
    expect(cursors(bob).map(([, { cursor, user }]) => [cursor, user.id])).toEqual([
      ["own", "alice"],
      ["stolen", "mallory"],
    ]);
    expect(bob.provider.awareness?.getLocalState()).toEqual({});
  });

  it("are all shown, also when another page has said the number of one first", async () => {
    store("");
    const [alice, bob] = [await edited("alice"), await edited("bob")];
    bob.provider.awareness?.setLocalState({});
    const said = { id: alice.doc.clientID, clock: 99, state: { cursor: "stolen" } };
    const state = { v: 1, page: "p", clock: 1, state: { "yjs/body": said } };
    engine.tell("/aware/0", { user: { userId: "mallory" }, state });
    await clock.pass(500);
    const shown = () => cursors(bob).map(([, { cursor, user }]) => [cursor, user.id]);
    for (const cursor of ["first", "then"]) {
      alice.provider.awareness?.setLocalState({ cursor });
      await clock.pass(500);
      expect(shown()).toEqual([
        ["stolen", "mallory"],
        [cursor, "alice"],
      ]);
    }
    alice.provider.disconnect();
    await clock.pass(1_500);
    expect(shown()).toEqual([["stolen", "mallory"]]);
  });

  it("never have a name that their page has chosen, and no number of another client", async () => {
    store("");
    const bob = await edited("bob");
    bob.provider.awareness?.setLocalState({});
    const state = { cursor: "own", user: { id: "bob", name: "Bob", color: "#f00" } };
    const say = (page: string, said: object) => {
      const message = { v: 1, page, clock: 1, state: { "yjs/body": { id: 123, clock: 1, state, ...said } } };
      engine.tell("/aware/0", { user: { userId: "mallory" }, state: message });
    };
    for (const [index, id] of [-5, 1.5, "7", null, [7], 2 ** 60].entries()) say(`id ${index}`, { id });
    for (const [index, clock] of [-1, 0.5, "7", null].entries()) say(`clock ${index}`, { id: 9, clock });
    await clock.pass(500);
    expect(cursors(bob)).toEqual([]);
    say("p", {});
    await clock.pass(500);
    expect(cursors(bob)).toEqual([[123, { ...state, user: { id: "mallory", name: "mallory", color: "#f00" } }]]);
  });

  it("of a user and a page are not those of others whose names make the same text", async () => {
    store("");
    const bob = await edited("bob");
    bob.provider.awareness?.setLocalState({});
    const say = (userId: string, page: string, said: object) => {
      const message = { v: 1, page, clock: 1, state: { "yjs/body": { clock: 9, state: {}, ...said } } };
      engine.tell("/aware/0", { user: { userId }, state: message });
    };
    say("a b", "c", { id: 7 });
    say("a", "b c", { id: 8 });
    await clock.pass(500);
    expect(cursors(bob).map(([id, { user }]) => [id, user.id])).toEqual([
      [7, "a b"],
      [8, "a"],
    ]);
  });

  it("are none without an awareness: the page says nothing, and hears nothing", async () => {
    for (const user of ["alice", "bob"]) await edited(user, { awareness: null });
    await clock.pass(60_000);
    expect(engine.count("publish")).toBe(0);
  });

  it("that are too large do not stop the editor", async () => {
    store("");
    const awareness = new Awareness(new Y.Doc());
    onTestFinished(() => awareness.destroy());
    const alice = await edited("alice", { awareness });
    awareness.setLocalState({ large: "x".repeat(5_000) });
    alice.write(0, "Hi");
    await clock.pass(100);
    expect(stored()).toBe("Hi");
  });
});
