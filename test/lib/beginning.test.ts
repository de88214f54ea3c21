// Every cut of a text that people read: it ends between two characters as they see them.
import { describe, expect, it } from "vitest";
import { short } from "../../infra/local/call-line.ts";
import { beginning } from "../../lib/beginning.ts";
import { changes } from "../../lib/features/annotation-changes.ts";
import { displayName, lines, oneLine } from "../../lib/messages/render/user-text.ts";
import { render } from "../../lib/notifications/visible.ts";

/** Characters of several code points, or of several UTF-16 units. */
const characters = {
  "a family": "👨‍👩‍👧‍👦",
  "a couple with tones of skin": "👩🏽‍❤️‍💋‍👨🏿",
  "a flag": "🇩🇪",
  "a tone of skin": "👍🏽",
  "a keycap": "1️⃣",
  "an emoji": "😀",
  "a letter with two accents": "a\u0323\u0308\u0301",
  "a Hindi conjunct": "क्षि",
  "a Tamil syllable": "நி",
  "a Thai letter with marks": "ที่",
  "a Hangul syllable of an old form": "ᄀᆡᆨ",
};

const segmenter = new Intl.Segmenter();
const clustersOf = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);

/** Whether the cut text is the beginning of the given one, in whole characters, with or without the mark of a cut. */
function isWhole(cut: string, given: string): boolean {
  const kept = clustersOf(cut.replace(/…$/, ""));
  const same = (other: string[]) => other.slice(0, kept.length).join("") === kept.join("");
  return same(clustersOf(given)) || same(clustersOf(given.normalize("NFC")));
}

describe.each(Object.entries(characters))("%s", (_, character) => {
  // Each place in the character is once where the cut is.
  const texts = Array.from(
    { length: character.length + 1 },
    (_, before) => `${"x".repeat(before)}${character.repeat(2_000)}`,
  );

  it.each([
    ["one line", (text: string) => oneLine(text, 60)],
    ["lines", (text: string) => lines(text, 60)],
    ["the name of a sender", displayName],
    ["what a message tells of a status", (text: string) => toldStatus(text)],
    ["a line of the local log", short],
    ["any text", (text: string) => beginning(text, 60)],
  ])("is whole in %s", (_, cut) => {
    for (const text of texts) {
      expect(isWhole(cut(text), text)).toBe(true);
      expect(cut(text).length).toBeGreaterThan(20);
    }
  });

  it("is whole in a headline", () => {
    for (const text of texts)
      expect(isWhole(render("{a}", new Map([["a", text.repeat(40)]])), text.repeat(40))).toBe(true);
  });
});

function toldStatus(status: string): string {
  const annotation = { annotationId: "x", from: { userId: "u" } };
  return String(changes(annotation, { ...annotation, status })[0]?.value);
}

it("keeps a text that is not too long, and takes as many whole characters as fit", () => {
  expect(beginning("👍🏽👍🏽", 8)).toBe("👍🏽👍🏽");
  expect(beginning("👍🏽👍🏽", 7)).toBe("👍🏽");
  expect(beginning("👍🏽👍🏽", 3)).toBe("");
  expect(beginning("a\r\nb", 2)).toBe("a");
});

it("reads no more of a text than it can keep", () => {
  const read: number[] = [];
  const text = Object.assign(new String("é".repeat(65_536)), {
    slice(from: number, to: number) {
      read.push(to - from);
      return String.prototype.slice.call(this, from, to);
    },
  });
  expect(beginning(text as unknown as string, 60)).toBe("é".repeat(60));
  expect(Math.max(...read)).toBeLessThan(100);
});

it("composes the letters of a name before it is cut", () => {
  for (const letter of ["각", "é", "ệ", "ᾧ", "が"]) {
    const name = letter.repeat(100);
    expect(oneLine(name.normalize("NFD"), 60)).toBe(`${letter.repeat(59)}…`);
    expect(displayName(name.normalize("NFD"))).toBe(letter.repeat(64));
  }
});
