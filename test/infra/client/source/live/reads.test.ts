import { describe, expect, it } from "vitest";
import { dueAt, noReads, type ReadEvent, type Reads, step } from "../../../../../infra/client/source/live/reads.ts";
import { explore, type Setting, type Step } from "../../../../support/client/live-model.ts";
import { isLong } from "../../../../support/long.ts";

const none = { double: 0, cut: 0, fail: 0, late: 0, slow: 0 };
const more = isLong ? 1 : 0;
const setting = (faults: object, given: Partial<Setting> = {}): Setting => {
  return { items: [0, 1], isNamed: true, othersAreOpen: false, faults: { ...none, ...faults }, ...given };
};

describe("every change is shown, whatever the order of two writers' and the client's steps, if", () => {
  it.each<[string, Setting]>([
    ["messages come twice", setting({ double: 1, slow: more }, { othersAreOpen: true })],
    ["the connection ends", setting({ cut: 1, double: more })],
    ["the connection of one of several clients ends", setting({ cut: 1, double: more }, { othersAreOpen: true })],
    ["both write the same item", setting({ cut: more, fail: 1 }, { items: [0, 0] })],
    ["the messages name no items", setting({ slow: 1, fail: more }, { isNamed: false })],
    ["replies take long and reads fail", setting({ slow: 1, fail: more }, { othersAreOpen: true })],
    ["the service no longer counts the client", setting({ late: 1, slow: more })],
  ])("%s", (_, given) => {
    const { worlds, fault } = explore(given);
    expect(fault).toBeUndefined();
    expect(worlds).toBeGreaterThan(10_000);
  });
});

/** The state without the doubts of a kind. */
function without(state: Reads, isGone: (doubt: Reads["doubts"][number]) => boolean): Reads {
  const gone = state.doubts.filter(isGone);
  const base = Math.max(state.base, ...gone.map(({ upTo }) => upTo));
  return { ...state, base, doubts: state.doubts.filter((each) => !gone.includes(each)) };
}

const dropping =
  (isGone: (doubt: Reads["doubts"][number]) => boolean): Step =>
  (state, event, now) => {
    const [after, reads] = step(state, event, now);
    return [without(after, isGone), reads];
  };

describe("the model finds the change that is never shown", () => {
  it.each<[string, Step, Partial<Setting>]>([
    ["without the late read after a join", dropping(({ isJoin }) => isJoin), {}],
    ["without the late read after a hole", dropping(({ isJoin, isRead }) => isRead && !isJoin), {}],
    ["without any read after a hole", dropping(({ isJoin }) => !isJoin), { othersAreOpen: true }],
    [
      "without the number of a renewal",
      (state, event, now) =>
        event.type === "opened" && !event.isJoin ? [{ ...state, openedAt: event.sentAt }, []] : step(state, event, now),
      {},
    ],
    [
      "if a renewal after the end of the count is no join",
      (state, event, now) =>
        step(event.type === "opened" && !event.isJoin ? { ...state, openedAt: now } : state, event, now),
      { faults: { ...none, late: 1 } },
    ],
  ])("%s", (_, changed, given) => {
    expect(explore(setting({}, given), changed).fault).toContainEqual(expect.stringMatching(/^writer [12] commits$/));
  });
});

describe("a step", () => {
  /** What begins, for each event, in the order of [time, event]. A read ends at once. */
  function began(...events: [number, ReadEvent][]) {
    let [state, now, log]: [Reads, number, string[]] = [noReads, 0, []];
    const take = (event: ReadEvent) => {
      const [after, reads] = step(state, event, now);
      state = after;
      for (const read of reads) {
        log.push(`${now} ${read.topic} ${read.ids}`);
        take({ type: "done", read });
      }
    };
    for (const [at, event] of [...events, [1e9, { type: "time" }] as [number, ReadEvent]]) {
      for (let due = dueAt(state); due <= at; due = dueAt(state)) {
        now = due;
        take({ type: "time" });
      }
      now = at;
      take(event);
    }
    return log;
  }
  const use = (topic: string) => [0, { type: "use", topic }] as [number, ReadEvent];
  const join = (seq?: number) => [0, { type: "opened", seq, sentAt: 0, isJoin: true }] as [number, ReadEvent];
  const message = (seq: number, ids?: string[], kind = "comments"): ReadEvent => ({ type: "message", seq, kind, ids });

  it("reads what a message names, once, and nothing of other kinds", () => {
    const first = message(8, ["a", "b"]);
    expect(
      began(
        use("comments"),
        use("presence"),
        join(7),
        [40_000, first],
        [40_001, first],
        [40_002, message(9, ["c"], "x")],
      ).slice(6),
    ).toEqual(["40000 comments a,b"]);
  });

  it("reads the one editor that a message names", () => {
    const log = began(use("crdt/body"), use("crdt/notes"), join(7), [40_000, message(8, ["notes"], "crdt")]);
    expect(log.slice(6)).toEqual(["40000 crdt/notes all"]);
  });

  it("reads an editor into which somebody types with a pause of 200 ms, and what has come meanwhile by one read", () => {
    const changes = [0, 50, 150, 250, 260, 2_000].map((ms, index): [number, ReadEvent] => [
      40_000 + ms,
      message(8 + index, ["body"], "crdt"),
    ]);
    const times = began(use("crdt/body"), join(7), ...changes).slice(3);
    expect(times).toEqual([40_000, 40_200, 40_400, 42_000].map((at) => `${at} crdt/body all`));
  });

  it("reads all when the document itself has changed, since its locations can have moved", () => {
    const log = began(use("comments"), use("crdt/body"), join(7), [40_000, message(8, undefined, "document")]);
    expect(log.slice(6)).toEqual(["40000 comments all", "40000 crdt/body all"]);
  });

  it("reads all for more ids than one read takes", () => {
    const ids = Array.from({ length: 101 }, (_, index) => `a${index}`);
    expect(began(use("comments"), join(7), [40_000, message(8, ids)]).slice(3)).toEqual(["40000 comments all"]);
  });

  it("reads all 200 ms and 30 s after a hole was seen, and never for one that closes", () => {
    const [closing, staying] = [message(9, ["b"]), message(11, ["d"])];
    const events: [number, ReadEvent][] = [
      [40_000, closing],
      [40_100, message(8, ["a"])],
      [50_000, staying],
    ];
    expect(began(use("comments"), join(7), ...events).slice(3)).toEqual([
      "40000 comments b",
      "40100 comments a",
      "50000 comments d",
      "50200 comments all",
      "80000 comments all",
    ]);
  });

  it("reads an inbox, which has no numbers, at each renewal", () => {
    const renewal = { type: "opened", seq: undefined, sentAt: 120_000, isJoin: false } as const;
    const log = began(use("notifications"), join(), [120_000, renewal]);
    expect(log.slice(3)).toEqual(["120000 notifications all"]);
  });

  it("is repeated after a failure, at the time that the failure says or at a full read", () => {
    const [state, [read]] = step(noReads, { type: "use", topic: "comments" }, 0);
    if (!read) throw new Error("nothing began");
    const [failed] = step(state, { type: "failed", read, retryMs: 700 }, 5);
    expect(dueAt(failed)).toBe(705);
    expect(step(failed, { type: "time" }, 704)[1]).toEqual([]);
    expect(step(failed, { type: "time" }, 705)[1]).toEqual([{ topic: "comments", ids: "all" }]);
    expect(step(failed, { type: "opened", seq: 0, sentAt: 0, isJoin: true }, 5)[1]).toHaveLength(1);
  });

  it("takes no reply of a topic that was dropped meanwhile", () => {
    const [state, [read]] = step(noReads, { type: "use", topic: "comments" }, 0);
    if (!read) throw new Error("nothing began");
    const [dropped] = step(state, { type: "drop", topic: "comments" }, 1);
    const [again] = step(dropped, { type: "use", topic: "comments" }, 2);
    expect(step(again, { type: "done", read }, 3)[0]).toEqual(again);
  });
});
