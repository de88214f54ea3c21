import { describe, expect, it } from "vitest";
import { linesOf } from "../../../lib/ingest/reader/pdf-layout.ts";
import { textsOf } from "../../../lib/ingest/reader/pdf-pages.ts";
import type { Piece } from "../../../lib/ingest/reader/pdf-pieces.ts";

const size = 10;
/** A piece of five letters' width. */
const piece = (text: string, x: number, y: number, order: number, right = x + 25): Piece => ({
  text,
  x,
  right,
  y,
  size,
  order,
});
const texts = (pieces: readonly Piece[], more: readonly Piece[][] = []) =>
  textsOf([pieces, ...more].map((each) => ({ lines: linesOf(each), height: 800 })));

describe("the order in which a page is drawn", () => {
  const left = [
    "This column begins on the left",
    "and goes on below, as long as",
    "the page has room, and then it",
    "ends.",
  ];
  const right = [
    "The other one stands beside it",
    "with the same lines, which are",
    "read when the left one has its",
    "end.",
  ];
  const at = (column: number, line: number, order: number) =>
    piece(
      (column ? right : left)[line] ?? "",
      column * 200,
      300 + line * 12,
      order,
      column * 200 + (line < 3 ? 150 : 20),
    );

  it.each([
    ["column by column", (column: number, line: number) => column * 4 + line],
    ["line by line", (column: number, line: number) => line * 2 + column],
    ["from the end", (column: number, line: number) => 9 - column * 4 - line],
  ])("%s: columns are read one after the other", (_, orderOf) => {
    const pieces = [0, 1].flatMap((column) => [0, 1, 2, 3].map((line) => at(column, line, orderOf(column, line))));
    expect(texts(pieces)).toEqual([[...left, ...right]]);
  });

  it("column by column: a column keeps its order when it ends with a table", () => {
    const columns = [0, 1].flatMap((column) => [0, 1, 2, 3].map((line) => at(column, line, column * 4 + line)));
    // The second column of the table is wider than the text above it.
    const table = [
      piece("Step of each check", 200, 350, 9),
      piece("Who", 360, 350, 10),
      piece("Open the page as a customer", 200, 370, 11),
      piece("Ida", 360, 370, 12),
    ];
    const more = [350, 370].map((y, line) => piece(`The end of this text, part ${line}`, 0, y + 3, 3.1 + line / 10));
    expect(texts([...columns, ...more, ...table])).toEqual([
      [
        ...left,
        "The end of this text, part 0",
        "The end of this text, part 1",
        ...right,
        "Step of each check | Who",
        "Open the page as a customer | Ida",
      ],
    ]);
  });

  it("a box that is drawn before the text around it does not mix with the text", () => {
    const box = [piece("A hint beside", 420, 306, 0, 500), piece("the text", 420, 318, 1, 460)];
    const above = [0, 1, 2].map((line) => piece(left[line] ?? "", 0, 250 + line * 12, 2 + line, 500));
    const beside = piece("This line stands beside the box", 0, 312, 8, 400);
    const below = piece("This one has the whole width again", 0, 340, 9, 500);
    expect(texts([...box, ...above, beside, below])).toEqual([
      [...left.slice(0, 3), "This line stands beside the box", "A hint beside", "the text", below.text],
    ]);
  });

  it("row by row: a table is read row by row, with its cells in their places", () => {
    const rows = [
      ["Task", "Owner", "Due"],
      ["Check a", "", "May"],
      ["Check b", "Ida"],
    ];
    const pieces = rows.flatMap((cells, row) =>
      cells.map((text, cell) => piece(text, cell * 60, row * 20, row * 3 + cell)),
    );
    const shown = pieces.filter(({ text }) => text !== "");
    expect(texts(shown)).toEqual([["Task | Owner | Due", "Check a |  | May", "Check b | Ida"]]);
    const shuffled = shown.map((each, index) => ({ ...each, order: (index * 5) % 8 }));
    expect(texts(shuffled)).toEqual(texts(shown));
  });
});

it("joins the lines of a cell, and the parts of a word that is divided there", () => {
  const cells = (first: string, second: string) => [
    ...[piece("Task", 0, 0, 0), piece("Owner", 60, 0, 1)],
    ...[piece(first, 0, 30, 2), piece(second, 0, 42, 3), piece("Ida", 60, 30, 4)],
  ];
  expect(texts(cells("Check the", "title."))).toEqual([["Task | Owner", "Check the title. | Ida"]]);
  expect(texts(cells("Read the docu-", "mentation"))).toEqual([["Task | Owner", "Read the documentation | Ida"]]);
  expect(texts(cells("TC-", "12"))).toEqual([["Task | Owner", "TC-12 | Ida"]]);
  expect(texts(cells("Tests of 3-", "Column pages -"))).toEqual([["Task | Owner", "Tests of 3-Column pages - | Ida"]]);
  expect(texts(cells("Shop -", "Cart"))).toEqual([["Task | Owner", "Shop - Cart | Ida"]]);
});

describe("what repeats on pages", () => {
  const page = (number: number, title: string, body: string) => [
    piece("Handbook", 0, 20, 0),
    { ...piece(title, 0, 60, 1), size: 16 },
    piece(body, 0, 300, 2),
    piece(`- ${number} -`, 0, 780, 3),
  ];

  it("is shown once, but not what only looks alike", () => {
    const pages = [page(1, "Room 1", "Check the lamp"), page(2, "Room 2", "Check the lamp"), page(3, "Room 7", "Rest")];
    expect(texts(pages[0] ?? [], pages.slice(1))).toEqual([
      ["Handbook", "Room 1", "Check the lamp", "- 1 -"],
      ["Room 2", "Check the lamp"],
      ["Room 7", "Rest"],
    ]);
  });

  it("is shown once at the foot of pages, also in larger letters than the text", () => {
    const pages = [1, 2, 3].map((number) => [
      piece(`Check ${number}`, 0, 300, 0),
      piece("as before", 0, 312, 1),
      { ...piece(`Page ${number}`, 0, 780, 2), size: 14 },
    ]);
    expect(texts(pages[0] ?? [], pages.slice(1))).toEqual([
      ["Check 1", "as before", "Page 1"],
      ["Check 2", "as before"],
      ["Check 3", "as before"],
    ]);
  });

  it("is shown if a page has nothing else", () => {
    const same = [piece("Check the lamp", 0, 20, 0)];
    expect(texts(same, [same])).toEqual([["Check the lamp"], ["Check the lamp"]]);
  });
});

describe("a word that is divided at the end of a line", () => {
  it.each([
    [
      ["Read the docu-", "mentation, please"],
      ["Read the documentation,", "please"],
    ],
    [["Read the docu\u2010", "mentation"], ["Read the documentation"]],
    [
      ["A state-of-the-", "art page"],
      ["A state-of-the-art", "page"],
    ],
    [
      ["Monday-", "Friday"],
      ["Monday-", "Friday"],
    ],
    [
      ["2023-", "2024"],
      ["2023-", "2024"],
    ],
  ])("%j is %j", (lines, expected) => {
    expect(texts(lines.map((text, at) => piece(text, 0, at * 12, at)))).toEqual([expected]);
  });
});

describe("letters", () => {
  it.each([
    ["ligatures", "\ufb01nd the o\uf002ce", "find the oflce"],
    ["joined forms of Arabic", "\ufeed\ufee0\ufeeb", "هلو"],
    ["marks that nobody sees", "so\u00adft\u200b \u0007bell", "soft bell"],
    ["Chinese numbers and full width, which stay", "①２ｋｍ", "①２ｋｍ"],
  ])("%s", (_, text, expected) => {
    expect(texts([piece(text, 0, 0, 0)])).toEqual([[expected]]);
  });

  it("are spaced as the gaps between them show", () => {
    const letters = [..."Check it"].map((letter, at) => piece(letter, at * 5, 0, at, at * 5 + 5));
    expect(texts(letters.filter(({ text }) => text !== " "))).toEqual([["Check it"]]);
  });
});

describe("20,000 texts", () => {
  const count = 20_000;
  const many = (place: (at: number) => [x: number, y: number]) =>
    Array.from({ length: count }, (_, at) => piece("word", ...place(at), at));

  it.each<[string, (at: number) => [number, number], number]>([
    ["at one position", () => [0, 0], 1],
    ["on one baseline", (at) => [at * 26, 0], 1],
    ["below one another", (at) => [0, at * 12], count],
    ["from below", (at) => [0, (count - at) * 12], count],
    ["that overlap", (at) => [0, at * 5], count],
    ["as stairs", (at) => [at * 30, at * 12], count],
    ["in three columns", (at) => [(at % 3) * 60, Math.floor(at / 3) * 12], Math.ceil(count / 3)],
    ["as one cell", (at) => [at < 6 ? (at % 2) * 60 : 0, at < 6 ? Math.floor(at / 2) * 30 : at * 12], 3],
    ["with positions beyond all limits", (at) => [at * 1e300, at * 1e300], count],
  ])("%s are read", (_, place, lines) => {
    expect(texts(many(place))[0]).toHaveLength(lines);
  });

  it("with more cells in a row than a table can have are refused", () => {
    expect(() => texts(many((at) => [at * 60, 0]))).toThrow("too large");
  });
});
