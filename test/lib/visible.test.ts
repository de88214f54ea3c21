import { describe, expect, it } from "vitest";
import { withShownTexts } from "../../infra/console/page/shown-text.ts";
import { displayName, lines, oneLine } from "../../lib/messages/render/user-text.ts";
import { visible, visibleJson, visibleLines } from "../../lib/visible.ts";

it("no character controls the terminal, begins a line or changes the order, and all others stay", () => {
  const hostile = "\u001b[2J\r\n\t\u0007\u007f\u009b31m\u202e\u200b\u2028\u2029\ud800";
  expect(visible(hostile)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
  expect(visible("\u001b é 😀 •")).toBe("\\u{1b} é 😀 •");
});

it("of several lines, the line feeds stay", () => {
  expect(visibleLines("a\r\n\u001bb\n")).toBe("a\\u{d}\n\\u{1b}b\n");
});

/** Nobody sees them, or they change what stands around them. */
const hidden = {
  "a tag": "\u{e0041}",
  "another selector of variations": "\u{e0100}",
  "a Hangul filler": "\u3164",
  "the initial Hangul filler": "\u115f",
  "a half-width Hangul filler": "\uffa0",
  "the Arabic letter mark": "\u061c",
  "the mark from right to left": "\u200f",
  "the mark from left to right": "\u200e",
  "an override": "\u202e",
  "an isolate": "\u2067",
  "a space without width": "\u200b",
  "a joiner of words": "\u2060",
  "a joiner between Latin letters": "\u200d",
  "a non-joiner between Latin letters": "\u200c",
  "a selector after a letter": "\ufe0f",
  "a soft hyphen": "\u00ad",
  "a grapheme joiner": "\u034f",
  "an empty Braille cell": "\u2800",
  "an empty note": "\u{1d159}",
  "a filler of Khitan": "\u{16fe4}",
  "a blank Egyptian sign": "\u{13441}",
  "half a blank Egyptian sign": "\u{13442}",
  "no character": "\ufdd0\u{1ffff}",
  "a beginning of an annotation": "\ufff9",
  "an inherent vowel of Khmer": "\u17b4",
  "a Mongolian vowel separator": "\u180e",
  "a beam of music": "\u{1d173}",
  "a Hangul filler with a joiner": "\u3164\u200d",
};

describe.each(Object.entries(hidden))("%s", (_, character) => {
  const given = `Pay${character}Pal`;

  it("is in no subject, text or name of a message", () => {
    expect([oneLine(given, 100), lines(given, 100), displayName(given)]).toEqual(["PayPal", "PayPal", "PayPal"]);
  });

  it("is a code on a terminal, in its JSON and on the page", () => {
    expect(visible(given)).toMatch(/^Pay(\\u\{[0-9a-f]+\})+Pal$/);
    const json = visibleJson(JSON.stringify({ [given]: given }));
    expect(json).toMatch(/^[ -~]+$/);
    expect(JSON.parse(json)).toEqual({ [given]: given });
    const vnode = { type: "b", props: { children: [given, { children: given }], title: given, value: given } };
    withShownTexts(vnode as never);
    const shown = visible(given);
    expect(vnode.props).toEqual({ children: [shown, { children: given }], title: shown, value: given });
  });
});

it("a letter keeps 12 marks: more of them would cover other lines", () => {
  expect(oneLine(`q${"\u0316".repeat(300)}b`, 100)).toBe(`q${"\u0316".repeat(12)}b`);
  expect(visible(`q${"\u0316".repeat(13)}`)).toBe(`q${"\u0316".repeat(12)}\\u{316}`);
});

it.each([
  ["an emoji of a family", "👨‍👩‍👧‍👦"],
  ["an emoji with a selector", "❤️ ☎️ 1️⃣"],
  ["a Persian word with a non-joiner", "می‌خواهم"],
  ["a Hindi word with a joiner", "क्‍ष"],
  ["a Malayalam word that ends with a joiner", "അവന്‍"],
  ["an Arabic number sign", "\u0600 12"],
  ["words of many scripts", "Ünï ç Жук ελ עברית 한글 漢字 かな ไทย"],
])("%s stays as it is", (_, text) => {
  expect(oneLine(text, 100)).toBe(text);
  expect(visible(text)).toBe(text);
  expect(visibleJson(JSON.stringify(text))).toBe(JSON.stringify(text));
});
