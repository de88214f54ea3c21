import { describe, expect, it, vi } from "vitest";
import type { Entry, Hit } from "../../../lib/memory/entry.ts";
import { Lexical } from "../../../lib/memory/lexical.ts";
import { Segment } from "../../../lib/memory/segment.ts";
import { normal, stemsOf, wordsOf } from "../../../lib/memory/words.ts";

const entry = (sk: string, text: string, fields: Partial<Entry> = {}): Entry => ({
  pk: "p",
  sk,
  at: 0,
  text,
  ...fields,
});
const everything = () => true;
const skOf = ({ fields }: Hit) => fields.sk;

const entries = [
  entry("discount", "The discount was rejected, since legal has not approved it."),
  entry("colour", "The button's colour fails the contrast that accessibility asks for."),
  entry("translation", "The German translation says something else."),
  entry("discounts", "Discounts need an approval of finance above ten percent.", { documentId: "d" }),
];
const find = (question: string, limit = 10, parts = [Segment.of(entries)]) =>
  new Lexical(parts).retrieve(question, everything, limit).map(skOf);

describe("stemsOf", () => {
  it.each([
    ["Approvals approving APPROVED", ["approv", "approv", "approv"]],
    ["what is it about?", []],
    ["naïve Größe ＡＢＣ façade İPTAL ışık", ["naiv", "gross", "abc", "facad", "iptal", "isik"]],
    ["fac\u0327ade co\u00adpy", ["facad", "copi"]],
    ["договор ΑΠΌΦΑΣΗ απόφαση", ["договор", "αποφαση", "αποφαση"]],
    ["会議室を予約、ｻｰﾊﾞｰ", ["会議", "議室", "を", "予約", "サー", "ーバ", "バー"]],
    ["iPhone手机 12个", ["iphon", "手机", "12", "个"]],
    ["예산을 돈", ["예산", "산을", "돈"]],
    ["ส่วนลด", ["ส่ว", "่วน", "วนล", "นลด"]],
    ["الخِصْمـ أإآا", ["الخ", "لخص", "خصم", "ااا", "ااا"]],
    ["תַּקְצִיב", ["תקצ", "קצי", "ציב"]],
    ["मंज़ूरी मँजूरी", ["मंजूरी", "मंजूरी"]],
    ["", []],
  ])("returns the stems of %j", (text, stems) => expect(stemsOf(text)).toEqual(stems));

  it("truncates a long word to 64 characters", () => expect(stemsOf("a".repeat(100_000))[0]).toHaveLength(64));
});

describe("wordsOf", () => {
  it("bounds the characters of all words, of a text of 64 KB of any character that becomes several", () => {
    const forms = ["NFKC", "NFD", "NFKD"] as const;
    const ratio = (character: string) => {
      const longest = Math.max(...forms.map((form) => character.normalize(form).toLowerCase().length));
      return Math.round((100 * longest) / Buffer.byteLength(character));
    };
    const worst = new Map<number, string>();
    for (let code = 0; code < 0x110000; code++) {
      const character = String.fromCodePoint(code);
      if (character.isWellFormed()) worst.set(ratio(character), character);
    }
    expect(Math.max(...worst.keys())).toBe(600);
    expect(worst.get(600)).toBe("\ufdfa");
    for (const character of worst.values()) {
      for (const end of ["", " "]) {
        const text = `${character}${end}`;
        const words = wordsOf(text.repeat(65_536 / Buffer.byteLength(text)));
        expect(words.length, character).toBeLessThanOrEqual(66_560);
        const starts = words.reduce((sum, { length }) => sum + (length > 3 ? length : 1), 0);
        expect(starts, character).toBeLessThanOrEqual(66_560);
      }
    }
  });

  it("has the words of a whole text of 64 KB in any language", () => {
    for (const [character, last] of [
      ["x ", "budget"],
      ["é ", "budget"],
      ["語", "予算"],
      ["각", "예산"],
      ["ế ", "thắng"],
    ] as const) {
      const text = `${character.repeat(65_500 / Buffer.byteLength(character))} ${last}`;
      expect(wordsOf(text).at(-1), character).toBe(wordsOf(last)[0]);
    }
  });
});

describe("normal", () => {
  it("normalises at most 30 marks in a row, of any that normalising sorts", () => {
    // U+0345 is sorted behind all others.
    const isSorted = (character: string) => `\u0345${character}`.normalize("NFKD")[0] !== "\u0345";
    const marks = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter(isSorted);
    expect(marks.length).toBeGreaterThan(900);
    const normalized = vi.spyOn(String.prototype, "normalize");
    for (const mark of marks) normal(`a${`\u0345${mark}`.repeat(100)}b`);
    const longest = Math.max(...normalized.mock.contexts.map((text) => [...String(text)].length));
    normalized.mockRestore();
    expect(longest).toBe(32);
  });

  it("keeps up to 30 marks, and composes them", () => {
    expect(normal("Ｅ\u0301")).toBe("é");
    expect(normal(`x${"\u0316".repeat(30)}`)).toHaveLength(31);
    expect(normal(`x${"\u0316".repeat(31)}y`)).toBe(`x${"\u0316".repeat(30)}y`);
  });
});

describe("lexical", () => {
  it("matches stems, and ranks matches of rare words first", () => {
    expect(find("who approves a discount")).toEqual(expect.arrayContaining(["discount", "discounts"]));
    expect(find("accessible colours")[0]).toBe("colour");
  });

  it("finds nothing for a question without known words", () => {
    for (const question of ["holiday pictures", "is it the", "?!"]) expect(find(question)).toEqual([]);
  });

  it("returns the same result for any distribution of the records over segments", () => {
    const spread = entries.map((each) => Segment.of([each]));
    for (const question of ["discount approval", "German button", "legal"])
      expect(find(question, 10, spread)).toEqual(find(question));
  });

  it("respects the filter and the limit", () => {
    const only = new Lexical([Segment.of(entries)]).retrieve("discount", ({ documentId }) => documentId === "d", 10);
    expect(only.map(skOf)).toEqual(["discounts"]);
    expect(find("discount approved colour translation", 2)).toHaveLength(2);
  });

  it("returns which share of the question's subject a record covers", () => {
    const coverageOf = (question: string) =>
      new Lexical([Segment.of(entries)]).retrieve(question, everything, 1)[0]?.coverage ?? 0;
    expect(coverageOf("legal discount")).toBeCloseTo(1);
    expect(coverageOf("legal translation")).toBeCloseTo(0.5);
    expect(coverageOf("legal unicorn")).toBeGreaterThan(0.95);
    expect(coverageOf("approved unicorn")).toBe(0);
  });

  it("corrects a word that no record has to one that differs by a letter", () => {
    for (const typo of ["discuont", "discoont", "discont", "disscount"]) expect(find(typo)).toEqual(find("discount"));
    expect(find("legab")).toEqual([]);
  });

  it("finds the parts of a compound word, and compound words by a part", () => {
    const german = ["Freigabeprozess", "Die Prozesse", "Kündigungsfristen", "Prozent"];
    const parts = [Segment.of(german.map((text) => entry(text, text)))];
    for (const [question, ...found] of [
      ["Prozess", "Die Prozesse", "Freigabeprozess"],
      ["Frist", "Kündigungsfristen"],
      ["Freigabe", "Freigabeprozess"],
      ["Geschäftsprozess", "Die Prozesse"],
      ["Prozess1"],
    ] as [string, ...string[]][])
      expect(find(question, 10, parts), question).toEqual(found);
  });

  it("finds words that contain a single character of Chinese", () => {
    const parts = [Segment.of([entry("rate", "税率从一月起改变。"), entry("other", "合同缺少签名。")])];
    expect(find("税", 10, parts)).toEqual(["rate"]);
  });

  it("indexes the first 66,560 characters of a record", () => {
    const text = `first ${"x".repeat(66_560)} last`;
    expect(find("first", 10, [Segment.of([entry("r", text)])])).toEqual(["r"]);
    expect(find("last", 10, [Segment.of([entry("r", text)])])).toEqual([]);
  });

  it("works without records", () => expect(find("discount", 10, [])).toEqual([]));
});

describe("a long question", () => {
  const letters = "bcdfghjklm";
  /** Distinct words without a number, of the same length. */
  const wordsFrom = (start: number, count: number) =>
    Array.from({ length: count }, (_, index) =>
      [...String(10_000 + start + index)].map((digit) => letters[Number(digit)]).join("xo"),
    );

  it("counts with its first 256 distinct words, however often each is there", () => {
    const words = wordsFrom(0, 256);
    const last = words[255] as string;
    const parts = [Segment.of([entry("counted", last), entry("later", "discount")])];
    expect(find([...words, ...words, "discount"].join(" "), 10, parts)).toEqual(["counted"]);
    expect(find([...words.slice(1), "discount"].join(" "), 10, parts).sort()).toEqual(["counted", "later"]);
  });

  it("has its first 32 unknown words corrected", () => {
    const parts = [Segment.of([entry("record", "discount")])];
    const unknown = wordsFrom(0, 32);
    expect(find([...unknown.slice(1), "discuont"].join(" "), 10, parts)).toEqual(["record"]);
    expect(find([...unknown, "discuont"].join(" "), 10, parts)).toEqual([]);
  });

  it("reads the words of the records no more often when it is longer", () => {
    const spies = (["stems", "stemsWith", "postings"] as const).map((name) => vi.spyOn(Segment.prototype, name));
    const steps = [1, 2, 4].map((times) => {
      for (const spy of spies) spy.mockClear();
      find(["discount", ...wordsFrom(0, times * 1_000)].join(" "));
      return spies.map(({ mock }) => mock.calls.length);
    });
    // Feedback adds 20 words to the second query.
    expect(steps).toEqual(new Array(3).fill([32, 32, expect.any(Number)]));
    for (const [, , read] of steps) expect(read).toBeLessThanOrEqual(2 * 256 + 20);
    vi.restoreAllMocks();
  });
});
