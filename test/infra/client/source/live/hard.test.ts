// Pages through every trouble at once, from seeds: messages that are lost, doubled, late and out of order, calls that fail
// before and after their work, connections that end, pages that are hidden, closed and asleep, and writers that die.
import { afterEach, expect, it } from "vitest";
import * as Y from "yjs";
import { LiveDocument } from "../../../../../infra/client/source/live/document.ts";
import { CollaborationProvider } from "../../../../../infra/client/source/yjs.ts";
import { Clock, Engine, failure, livePage, Service } from "../../../../support/client/live-page.ts";
import { isLong, longSeed } from "../../../../support/long.ts";
import { Random } from "../../../../support/random.ts";

const ref = { organizationId: "acme", documentId: "plan" };
const [windowMs, overlapMs, callMs] = [180_000, 30_000, 28_000];
const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
});

const seeds = Array.from({ length: isLong ? 60 : 8 }, (_, index) => `${longSeed ?? "live"} ${index}`);

it.each(seeds)("seed %s: in the end, every page shows what is stored", async (seed) => {
  const random = new Random(seed);
  const [clock, engine, service] = [new Clock(), new Engine(), new Service()];
  service.engine = engine;
  const time = clock.surroundings(engine.connect);
  let isHard = true;

  /** Tells under the name of the window, and of the former one in its first 30 s. */
  const tellAt = (message: object, at: number) => {
    const windows = new Set([at, at - overlapMs].map((each) => Math.floor(each / windowMs)));
    for (const window of windows) engine.tell(`/doc/${window}`, message);
  };
  service.reserve = (kind, ids) => {
    const message = { v: 1, seq: ++service.seq, kind, ids };
    return () => {
      const times = isHard
        ? random.weighted([
            [6, [0]],
            [2, []],
            [1, [0, 300]],
            [1, [random.below(5_000)]],
          ] as const)
        : [0];
      for (const ms of times) time.after(ms, () => tellAt(message, clock.ms));
    };
  };
  const fails = (chance: number) => (name: string) => {
    service.window = Math.floor(clock.ms / windowMs);
    if (isHard && random.chance(chance))
      throw failure(name === "open" ? "UNAUTHENTICATED" : "UNAVAILABLE", { httpStatus: 0 });
    return undefined;
  };
  service.before = fails(0.1);
  service.after = fails(0.1);

  function page(user: string) {
    const { shared } = livePage(user, engine, service, clock);
    shared.surroundings.random = () => random.next();
    const document = new LiveDocument(ref, shared);
    const end = document.subscribe({ comments: () => undefined, peers: () => undefined });
    const { crdtGet, crdtUpdate } = shared.calls;
    const client = { document: () => document, crdtGet, crdtUpdate } as never;
    const provider = new CollaborationProvider({ client, ...ref, editorId: "body", doc: new Y.Doc(), type: "text" });
    provider.awareness?.setLocalState({ cursor: 0 });
    ended.push(() => provider.destroy(), end);
    return { document, provider, text: provider.doc.getText("content"), end };
  }

  const pages = [page("alice"), page("bob")];
  const done: Promise<unknown>[] = [];
  const sent: string[] = [];
  const threads = () => [...(service.tables.comments?.keys() ?? [])];
  /** A server that writes: it can be slow, and die before and after it commits. */
  function serverWrites(): void {
    const id = random.chance(0.5) && threads().length > 0 ? random.from(threads()) : crypto.randomUUID();
    const tell = service.reserve("comments", [id]);
    time.after(random.chance(0.7) ? 0 : random.below(callMs), () => {
      if (random.chance(0.2)) return;
      const old = service.tables.comments?.get(id);
      if (old && random.chance(0.3)) service.tables.comments?.delete(id);
      else service.tables.comments?.set(id, { comments: [], ...old, annotationId: id, status: String(clock.ms) });
      if (!random.chance(0.2)) tell();
    });
  }
  const pageDoes = [
    ({ document }: (typeof pages)[0]) => {
      const { commentId, done: end } = document.addThread({ id: "l" }, { comment: { text: "t" } });
      sent.push(commentId);
      done.push(end);
    },
    ({ text }: (typeof pages)[0]) => text.insert(random.below(text.length + 1), String(random.below(10))),
    ({ text }: (typeof pages)[0]) => text.length > 3 && text.delete(0, 2),
  ];
  const trouble = [
    () => engine.open.at(random.below(9))?.drop(),
    () => {
      engine.isDown = !engine.isDown;
    },
    () => clock.change("hidden"),
    () => clock.change("shown"),
    () => clock.change("offline"),
    () => clock.change("online"),
    () => {
      clock.sleptMs += 3_600_000;
    },
  ];
  for (let round = 0; round < 3; round++) {
    isHard = true;
    for (let turn = 0; turn < 40; turn++) {
      service.window = Math.floor(clock.ms / windowMs);
      await random.weighted([
        [4, () => random.from(pageDoes)(random.from(pages))],
        [4, serverWrites],
        [1, () => random.from(trouble)()],
      ] as const)();
      const ms = random.weighted([
        [5, 300],
        [2, 5_000],
        [1, 200_000],
      ] as const);
      await clock.pass(random.below(ms));
    }
    isHard = false;
    engine.isDown = false;
    await clock.change("shown");
    await clock.change("online");
    // One page is closed for good, and another one comes.
    pages[1]?.provider.destroy();
    pages[1]?.end();
    pages[1] = page(`user${round}`);
    await clock.pass(windowMs);
    check();
  }
  function check(): void {
    const stored = [...(service.tables.comments?.values() ?? [])];
    const text = service.editors.get("body")?.doc.getText("content").toString() ?? "";
    const byId = (items: readonly { annotationId?: unknown }[] = []) =>
      items.toSorted((one, other) => String(one.annotationId).localeCompare(String(other.annotationId)));
    for (const { document, provider, ...each } of pages) {
      expect(document.getSnapshot().status.state).toBe("live");
      expect(byId(document.getSnapshot().comments)).toEqual(byId(stored));
      expect([each.text.toString(), provider.hasUnsyncedChanges, provider.synced]).toEqual([text, false, true]);
      expect(document.getSnapshot().peers).toHaveLength(1);
      expect(provider.awareness?.getStates().size).toBe(2);
    }
  }
  expect((await Promise.allSettled(done)).filter(({ status }) => status === "rejected")).toEqual([]);
  expect(new Set(sent).size).toBe(sent.length);
});
