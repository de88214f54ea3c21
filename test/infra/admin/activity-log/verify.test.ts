// The verification finds each single change of a log, and names the record.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import type { Exported } from "../../../../infra/admin/activity-log/exported.ts";
import { type Verdict, verifyLog } from "../../../../infra/admin/activity-log/verify.ts";
import type { Checkpoint } from "../../../../lib/activity/checkpoint.ts";
import { chainOf, checkpointOf, type MadeActivity, textOf } from "../../../support/chains.ts";
import fc from "../../../support/property.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Without garbage, whose size depends on when V8 collects it. */
function heapUsed(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

/** `end`: what stands after each line. */
async function* each(lines: readonly string[], end = "\n") {
  for (const line of lines) yield line + end;
}

const verify = (log: readonly (Exported | string)[], ...checkpoints: Checkpoint[]): Promise<Verdict> =>
  verifyLog(each(log.map((entry) => (typeof entry === "string" ? entry : textOf(entry)))), ...checkpoints);

/** What is wrong, with the sequence number of the record. */
async function faultOf(...given: Parameters<typeof verify>) {
  const verdict = await verify(...given);
  return "fault" in verdict ? `${verdict.fault.what} ${verdict.fault.sequence}` : verdict.verified;
}

const made = (length: number): MadeActivity[] =>
  Array.from({ length }, (_, index) => ({
    eventType: "comment.add",
    documentId: `d${index}`,
    texts: { actionUser: '{"userId":"ann"}', changes: `{"text":"é ${index} \u2028"}` },
  }));

const log = chainOf(made(9));
const changedAt = (index: number, change: (entry: Exported) => object) =>
  log.map((entry, at) => (at === index ? ({ ...entry, ...change(entry) } as Exported) : entry));

describe("a log as it was written", () => {
  it("verifies, and the verdict has its last hash and how many texts were removed", async () => {
    const { changes } = log[3]?.texts ?? {};
    const erased = changedAt(3, () => ({ texts: { changes } })).map((entry, at) => (at === 5 ? without(entry) : entry));
    expect(await verify(erased)).toEqual({
      verified: { records: 9, chain: "chain-1", organizationId: "o", hash: log[8]?.hash, textsRemoved: 3 },
    });
  });

  it("verifies with a checkpoint of any of its records: more records may follow", async () => {
    for (const sequence of [1, 5, 9]) expect(await verify(log, checkpointOf(log, sequence))).toHaveProperty("verified");
  });

  it("may have no records, if no checkpoint says otherwise", async () => {
    expect(await verify([])).toEqual({ verified: { records: 0, textsRemoved: 0 } });
    expect(await faultOf([], checkpointOf(log, 5))).toBe("truncated 1");
  });

  it("is read in bounded memory, at 30,000 records", async () => {
    const long = chainOf(made(1_000));
    let lines = 0;
    async function* many() {
      for (; lines < 30_000; lines++) yield `${textOf(long[lines % 1_000] as Exported)}\n`;
    }
    const before = heapUsed();
    // The records after the first thousand depart from the chain, so all of them are read.
    expect(await verifyLog(many())).toMatchObject({ fault: { what: "inserted", sequence: 1_001 } });
    expect(lines).toBe(30_000);
    expect(heapUsed() - before).toBeLessThan(30_000_000);
  });
});

const without = ({ record, hash }: Exported): Exported => ({ record, hash });

describe("one change is named with its record", () => {
  const last = log[8] as Exported;
  it.each<[string, (Exported | string)[], string]>([
    ["a changed field", changedAt(4, ({ record }) => ({ record: { ...record, eventType: "x" } })), "changed 5"],
    ["a changed number", changedAt(4, ({ record }) => ({ record: { ...record, sequence: 7 } })), "changed 5"],
    ["a changed hash", changedAt(4, () => ({ hash: "0".repeat(64) })), "changed 5"],
    [
      "a changed chain of the first",
      changedAt(0, ({ record }) => ({ record: { ...record, chain: "x" } })),
      "changed 1",
    ],
    [
      "a further field",
      log.map((each, at) => (at === 4 ? textOf(each).replace(/}$/, ',"note":"x"}') : each)),
      "changed 5",
    ],
    ["a line that is no record", [...log.slice(0, 4), "{", ...log.slice(5)], "changed 5"],
    ["a removed record", log.toSpliced(4, 1), "removed 5"],
    ["removed records", log.toSpliced(0, 3), "removed 1"],
    ["a record that is there twice", log.toSpliced(6, 0, log[3] as Exported), "inserted 7"],
    ["a later record that is there twice", log.toSpliced(2, 0, log[7] as Exported), "inserted 3"],
    ["the last one twice", [...log, last], "inserted 10"],
    ["an empty line", [...log.slice(0, 4), "", ...log.slice(4)], "inserted 5"],
    ["a made-up record", log.toSpliced(4, 0, { ...last, hash: "0".repeat(64) }), "inserted 5"],
    ["a record that was moved down", log.toSpliced(2, 1).toSpliced(6, 0, log[2] as Exported), "moved 3"],
    ["a record that was moved up", log.toSpliced(6, 1).toSpliced(2, 0, log[6] as Exported), "moved 7"],
    ["neighbours that changed places", log.with(4, log[5] as Exported).with(5, log[4] as Exported), "moved 5"],
    ["a changed text", changedAt(4, textChange("changes", { text: "x" })), "changed 5"],
    ["a text under another name", changedAt(4, ({ texts }) => ({ texts: { metadata: texts?.changes } })), "changed 5"],
  ])("%s", async (_, changed, fault) => {
    expect(await faultOf(changed, checkpointOf(log))).toBe(fault);
  });

  function textChange(part: "changes", change: object) {
    return ({ texts }: Exported) => ({ texts: { ...texts, [part]: { ...texts?.[part], ...change } } });
  }
});

describe("an export that was cut off", () => {
  const lines = log.map((entry) => `${textOf(entry)}\n`);
  const last = lines[8] as string;

  it.each([1, 200])("says so: without its last %i characters", async (count) => {
    const verdict = await verifyLog(each([...lines.slice(0, 8), last.slice(0, -count)], ""));
    expect(verdict).toEqual({
      fault: {
        what: "truncated",
        sequence: 9,
        line: 9,
        message: "Line 9 does not end with a line feed: the export was cut off.",
      },
    });
  });

  it("says first what is wrong before", async () => {
    const verdict = await verifyLog(each([...lines.slice(0, 3), ...lines.slice(4, 8), last.trim()], ""));
    expect(verdict).toMatchObject({ fault: { what: "removed", sequence: 4 } });
  });
});

it("a line that is no text is named, like one that is no record", async () => {
  async function* read() {
    yield `${textOf(log[0] as Exported)}\n`;
    yield undefined;
    yield `${textOf(log[2] as Exported)}\n`;
  }
  expect(await verifyLog(read())).toMatchObject({ fault: { what: "changed", sequence: 2, line: 2 } });
});

describe("a checkpoint", () => {
  it("is verified beside others, whatever their order", async () => {
    const [early, late] = [checkpointOf(log, 2), checkpointOf(log)];
    expect(await verify(log, early, late)).toHaveProperty("verified");
    for (const both of [
      [early, late],
      [late, early],
    ])
      expect(await faultOf(log.slice(0, 6), ...both)).toBe("truncated 7");
  });

  it("shows what no chain can: that the last records are missing", async () => {
    expect(await verify(log.slice(0, 6))).toHaveProperty("verified");
    expect(await faultOf(log.slice(0, 6), checkpointOf(log))).toBe("truncated 7");
  });

  it("shows that the log was written anew", async () => {
    const anew = chainOf(made(9).map((each, index) => (index === 2 ? { ...each, eventType: "x" } : each)));
    expect(await verify(anew)).toHaveProperty("verified");
    expect(await faultOf(anew, checkpointOf(log, 6))).toBe("replaced 6");
  });

  it("is of one log", async () => {
    expect(await faultOf(chainOf(made(9), "chain-2"), checkpointOf(log))).toBe("replaced 1");
    expect(await faultOf(log, { ...checkpointOf(log), organizationId: "p" })).toBe("replaced 1");
  });
});

describe("any log", () => {
  const text = fc.string({ unit: "binary" }).filter((each) => each.isWellFormed());
  const activity = fc.record({
    eventType: fc.constantFrom("comment.add", "document.add"),
    documentId: fc.option(text, { nil: undefined }),
    texts: fc.record({ actionUser: text, changes: text, displayMessage: text, metadata: text }, { requiredKeys: [] }),
  });
  const logs = fc.array(activity, { minLength: 2, maxLength: 12 }).map((activities) => chainOf(activities));
  const place = fc.nat(1_000);

  it("verifies as it was written, also without some of its texts", async () => {
    await fc.assert(
      fc.asyncProperty(logs, place, async (entries, at) => {
        const erased = entries.map((entry, index) => (index % 3 === at % 3 ? without(entry) : entry));
        const texts = (list: Exported[]) => list.flatMap((each) => Object.keys(each.texts ?? {})).length;
        const verdict = await verify(erased, checkpointOf(entries, (at % entries.length) + 1));
        expect(verdict).toMatchObject({ verified: { textsRemoved: texts(entries) - texts(erased) } });
      }),
    );
  });

  const fields = ["chain", "sequence", "activityId", "organizationId", "documentId", "eventType", "createdAt"] as const;

  it("shows an edit of any field of any record", async () => {
    await fc.assert(
      fc.asyncProperty(
        logs,
        place,
        fc.constantFrom(...fields, "content", "hash"),
        text,
        async (entries, at, field, to) => {
          const index = at % entries.length;
          const { record, hash } = entries[index] as Exported;
          const value = field === "sequence" ? at : to;
          if (field !== "hash" && field !== "content" && record[field] === value) return;
          const changed =
            field === "hash"
              ? { record, hash: `${hash}0` }
              : {
                  record: { ...record, [field]: field === "content" ? { ...record.content, changes: to } : value },
                  hash,
                };
          expect(await faultOf(entries.with(index, changed as Exported))).toBe(`changed ${index + 1}`);
        },
      ),
    );
  });

  it("shows a change of any character", async () => {
    const odd = fc.constantFrom(" ", "\n", "\r", "\t", "\ufeff", "0", "a", '"', "\\", "}", ",", "");
    await fc.assert(
      fc.asyncProperty(logs, fc.nat(), fc.nat(1), odd, async (entries, at, removed, to) => {
        const file = entries.map((entry) => `${textOf(entry)}\n`).join("");
        const place = at % file.length;
        const changed = file.slice(0, place) + to + file.slice(place + removed);
        if (changed === file) return;
        const verdict = await verifyLog(each(changed.split(/(?<=\n)/), ""), checkpointOf(entries));
        expect(verdict).toHaveProperty("fault");
      }),
    );
  });

  it("shows an edit of any text", async () => {
    await fc.assert(
      fc.asyncProperty(logs, place, text, async (entries, at, to) => {
        const index = at % entries.length;
        const entry = entries[index] as Exported;
        const [part, stored] = Object.entries(entry.texts ?? {})[0] ?? [];
        if (!part || stored?.text === to) return;
        const changed = { ...entry, texts: { ...entry.texts, [part]: { ...stored, text: to } } } as Exported;
        expect(await faultOf(entries.with(index, changed))).toBe(`changed ${index + 1}`);
      }),
    );
  });

  it("shows a record that is dropped, doubled, moved or exchanged, and a log that is cut off", async () => {
    await fc.assert(
      fc.asyncProperty(logs, place, place, async (entries, one, other) => {
        const [from, to] = [one % entries.length, other % entries.length];
        const entry = entries[from] as Exported;
        const checkpoint = checkpointOf(entries);
        const rest = entries.toSpliced(from, 1);
        const dropped = from === entries.length - 1 ? "truncated" : "removed";
        expect(await faultOf(rest, checkpoint)).toBe(`${dropped} ${from + 1}`);
        // A copy in front of the record is the same as one behind it.
        expect(await faultOf(entries.toSpliced(to, 0, entry))).toBe(`inserted ${from === to ? to + 2 : to + 1}`);
        expect(await faultOf(entries.slice(0, to), checkpoint)).toBe(`truncated ${to + 1}`);
        if (from === to) return;
        // A record that goes up by one changes places with the record before it.
        expect(await faultOf(rest.toSpliced(to, 0, entry))).toBe(`moved ${to === from - 1 ? to + 1 : from + 1}`);
        const exchanged = entries.with(from, entries[to] as Exported).with(to, entry);
        expect(await faultOf(exchanged)).toBe(`moved ${Math.min(from, to) + 1}`);
      }),
    );
  });
});
