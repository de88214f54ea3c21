import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { Segment } from "../../../lib/memory/segment.ts";
import { SegmentBuilder } from "../../../lib/memory/segment-builder.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const entry = (sk: string, text: string) => ({ pk: "p", sk, at: 0, text });

it("a segment has the count of each stem in each entry", () => {
  const segment = Segment.of([
    entry("1", "budget budgets, the discount"),
    entry("2", "the"),
    entry("3", "Discount! A late discount."),
  ]);
  expect([segment.size, [...segment.lengths], segment.words]).toEqual([3, [3, 0, 3], 6]);
  expect([...segment.stems()]).toEqual(["budget", "discount", "late"]);
  expect(["budget", "discount", "late", "the"].map((stem) => segment.frequency(stem))).toEqual([1, 2, 1, 0]);
  const { entries, counts } = segment.postings("discount");
  expect([[...entries], [...counts]]).toEqual([
    [0, 2],
    [1, 2],
  ]);
  expect([0, 1, 2].map((index) => segment.stemsOf(index))).toEqual([
    [
      ["budget", 2],
      ["discount", 1],
    ],
    [],
    [
      ["discount", 2],
      ["late", 1],
    ],
  ]);
});

it("a segment has the stems that contain a text, each once", () => {
  const segment = Segment.of([entry("1", "budget, midget gadget"), entry("2", "gudget budget ggg")]);
  expect(segment.stemsWith("get")).toEqual(["budget", "midget", "gadget", "gudget"]);
  expect(segment.stemsWith("g")).toEqual(["budget", "midget", "gadget", "gudget", "ggg"]);
  expect(segment.stemsWith("budgets")).toEqual([]);
  expect(Segment.of([]).stemsWith("x")).toEqual([]);
});

it("a segment counts the characters of its entries after they are normalised, and all of a judgment", () => {
  const builder = new SegmentBuilder();
  builder.add(entry("1", "ﷺ"));
  expect(builder.characters).toBe(18);
  builder.add(entry("2", "ﷺ".repeat(21_000)));
  expect(builder.characters).toBe(18 + 66_560);
  builder.add(entry("3", `${"x ".repeat(32_700)}end`));
  expect(new Segment(builder).frequency("end")).toBe(1);
});

it("a segment grows with its entries", () => {
  const words = Array.from({ length: 1_000 }, (_, index) => `w${index}`);
  const segment = Segment.of([entry("1", words.join(" ")), entry("2", words.toReversed().join(" "))]);
  expect(words.every((word) => segment.frequency(word) === 2)).toBe(true);
  expect(segment.stemsOf(1).map(([stem]) => stem)).toEqual(words.toReversed());
});

const entries = 500;
const letters = 16_000;

/** A function of its own, because its frame keeps the entries until it returns. */
const segmentOfLongTexts = () =>
  Segment.of(
    Array.from({ length: entries }, (_, index) =>
      entry(`${index}`, `unusuallylongword${index} `.padEnd(letters, "x ")),
    ),
  );

it("a segment does not keep the texts of its entries in memory", () => {
  collect();
  const before = process.memoryUsage().heapUsed;
  const segment = segmentOfLongTexts();
  collect();
  const keptBytes = process.memoryUsage().heapUsed - before;
  expect(segment.frequency("unusuallylongword7")).toBe(1);
  expect(keptBytes).toBeLessThan((entries * letters) / 4);
});
