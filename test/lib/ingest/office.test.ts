// Parts of Office files that most programs do not write, or not like this. `corpus/` has whole files.
import { describe, expect, it } from "vitest";
import type { Content } from "../../../lib/ingest/file-content.ts";
import { outputOf } from "../../../lib/ingest/reader/main.ts";
import { inlineCell, relationsTo, rowOf, type WorkbookParts, wordDocument, workbook } from "../../support/workbooks.ts";

const sheet = async (parts: WorkbookParts): Promise<Content> => JSON.parse(await outputOf(workbook(parts), "xlsx"));
const rows = async (...xml: string[]) => (await sheet({ sheets: [xml.join("")] })).lines;
const cell = (attributes: string, value: string) => `<c ${attributes}><v>${value}</v></c>`;

describe("a sheet", () => {
  const withNotes = (...parts: [type: string, content: string][]) => [
    {
      name: "xl/worksheets/_rels/sheet1.xml.rels",
      content: relationsTo(parts.map(([type]) => [type, `../${type}.xml`])),
    },
    ...parts.map(([type, content]) => ({ name: `xl/${type}.xml`, content })),
  ];
  const old = (ref: string, text: string) =>
    `<comment ref="${ref}"><text><r><t>Ida:</t></r><r><t>&#10;${text}</t></r></text></comment>`;
  const threaded = (ref: string, text: string) =>
    `<threadedComment ref="${ref}"><text>${text}</text></threadedComment>`;

  it("shows notes and comments behind the text of their cell, also where no cell is", async () => {
    const comments = `<x>${old("A1", "now?")}${old("B1", "an old form of a thread")}${old("C3", "later")}</x>`;
    const threads = `<x>${threaded("B1", "by phone")}${threaded("B1", "done")}</x>`;
    const more = withNotes(["comments", comments], ["threadedComment", threads]);
    expect((await sheet({ sheets: [rowOf("a", "b", "c") + rowOf("d")], more })).lines).toEqual([
      "a [Ida: now?] | b [by phone; done] | c",
      "d",
      " |  | [Ida: later]",
    ]);
  });

  it("hides the notes of hidden rows, and shows a note of merged cells once", async () => {
    const more = withNotes(["comments", `<x>${old("A1", "hidden")}${old("A2", "once")}</x>`]);
    const hidden = rowOf("a").replace("<row", '<row r="1" hidden="1"');
    const sheets = [hidden + rowOf("b") + rowOf("c", "d")];
    const { lines } = await sheet({ sheets, merges: '<mergeCell ref="A2:B2"/>', more });
    expect(lines).toEqual(["b [Ida: once] | b", "c | d"]);
  });

  it.each<[string, string, object]>([
    ["in the last column", old("XFD1", "x"), { problem: "tooLarge" }],
    ["in one cell, longer than a cell can be", threaded("A1", "x").repeat(20_000), { problem: "tooLarge" }],
    ["of no cell", old("", "x") + old("A", "x"), { lines: ["a"] }],
  ])("with notes %s has a result", async (_, notes, expected) => {
    const types: [string, string][] = ["comments", "threadedComment"].map((type) => [type, `<x>${notes}</x>`]);
    expect(await sheet({ sheets: [rowOf("a")], more: withNotes(...types) })).toMatchObject(expected);
  });

  it.each([
    ["&amp;C&amp;&quot;Times New Roman,Regular&quot;&amp;12&amp;A", []],
    ["&amp;C&amp;&quot;Times New Roman,Regular&quot;&amp;12Page &amp;P", []],
    ["&amp;LSeite &amp;P von &amp;N&amp;R&amp;D &amp;T", []],
    ["- &amp;P / &amp;N -", []],
    ["&amp;L&amp;BStone &amp;&amp; Co&amp;B&amp;R&amp;K01+000Draft &amp;14B", ["Stone & Co | Draft B"]],
    ["&amp;LPlan, page &amp;P", ["Plan,"]],
  ])("shows the words of the printed header %s", async (code, shown) => {
    const margins = `<headerFooter><oddHeader>${code}</oddHeader><firstHeader>${code}</firstHeader></headerFooter>`;
    expect((await sheet({ sheets: [rowOf("a")], margins })).lines).toEqual([...shown, "a"]);
  });

  it.each([
    ['<c r="A1"><f>1+1</f></c>', 1],
    ['<c r="A1"><f>1+1</f><v/></c>', 1],
    ['<c r="A1" t="str"><f>""</f><v></v></c>', 0],
  ])("says when the result of a formula is not stored: %s", async (formula, count) => {
    const { notes } = await sheet({ sheets: [`<row>${formula}${inlineCell("a")}</row>`] });
    expect(notes).toEqual(count ? ["The sheet Sheet1 has 1 formula without a stored result."] : []);
  });

  it("says how many values merged cells cover", async () => {
    const merges = '<mergeCell ref="A1:B2"/><mergeCell ref="C1:D1"/>';
    expect(await sheet({ sheets: [rowOf("a", "b", "", "c") + rowOf("a", "d")], merges })).toEqual({
      lines: ["a | a", "a | a"],
      marks: [],
      notes: ["The sheet Sheet1 has 3 values under merged cells."],
    });
  });

  it("has a line for each row whose number is repeated", async () => {
    const first = rowOf("a").replace("<row", '<row r="2"');
    expect(
      await rows(first, rowOf("b"), first.replace(">a<", ">c<"), rowOf("d").replace("<row", '<row r="1"')),
    ).toEqual(["d", "a", "c", "b"]);
  });

  it.each([
    ["123456789012345678", "123456789012345678"],
    ["1234567890123456789012", "1234567890123456789012"],
    ["-98765432109876543", "-98765432109876543"],
    ["1.23456789012345E+17", "123456789012345000"],
    ["6.02E+23", "6.02E+23"],
    ["007", "7"],
  ])("shows the number %s as %s", async (stored, shown) => {
    const styles = '<cellXfs><xf/><xf numFmtId="1"/></cellXfs>';
    const { lines } = await sheet({ sheets: [`<row>${cell("", stored)}</row>`], styles });
    expect(lines).toEqual([shown]);
  });

  it("shows the stored digits of a whole number in the format 0", async () => {
    const styles = '<cellXfs><xf/><xf numFmtId="1"/></cellXfs>';
    const { lines } = await sheet({ sheets: [`<row>${cell('s="1"', "123456789012345678")}</row>`], styles });
    expect(lines).toEqual(["123456789012345678"]);
  });

  it.each([
    ["2024-05-03", "2024-05-03"],
    ["2024-05-03T00:00:00", "2024-05-03"],
    ["2024-05-03T09:30:00Z", "2024-05-03 09:30"],
    ["09:30:00", "09:30:00"],
  ])("shows the date %s without a format of its own as %s", async (stored, shown) => {
    expect(await rows(`<row>${cell('t="d"', stored)}</row>`)).toEqual([shown]);
  });
});

describe("a document", () => {
  const read = async (body: string, parts: [type: string, content: string][]): Promise<string[]> =>
    JSON.parse(await outputOf(wordDocument(body, parts), "docx")).lines;
  const p = (xml: string) => `<p><r>${xml}</r></p>`;
  const note = (id: number, text: string, kind = "footnote") => `<${kind} id="${id}">${p(`<t>${text}</t>`)}</${kind}>`;

  it("shows each note where the text refers to it first, and the others at the end", async () => {
    const body = p(
      '<t>a</t><footnoteReference id="1"/><t> b</t><footnoteReference id="1"/><footnoteReference id="9"/>',
    );
    expect(await read(body, [["footnotes", note(0, "") + note(1, "one") + note(2, "two")]])).toEqual([
      "a [one] b",
      "two",
    ]);
  });

  it("shows a comment of a footnote", async () => {
    const footnotes = `<footnote id="1">${p('<t>one</t><commentReference id="1"/>')}</footnote>`;
    const parts: [string, string][] = [
      ["footnotes", footnotes],
      ["comments", note(1, "why?", "comment").replace("id", 'author="Ida" id')],
    ];
    expect(await read(p('<t>a</t><footnoteReference id="1"/>'), parts)).toEqual(["a [one [Ida: why?]]"]);
  });

  const level = (at: number, format: string, text: string, start = 1) =>
    `<lvl ilvl="${at}"><start val="${start}"/><numFmt val="${format}"/><lvlText val="${text}"/></lvl>`;
  const item = (text: string, list: number, at = 0, style = "") =>
    `<p><pPr><pStyle val="${style}"/><numPr><ilvl val="${at}"/><numId val="${list}"/></numPr></pPr><r><t>${text}</t></r></p>`;
  const readLists = (levels: string, body: string, more = "") =>
    read(body, [
      [
        "numbering",
        `<abstractNum abstractNumId="7">${levels}</abstractNum><num numId="1"><abstractNumId val="7"/></num>${more}`,
      ],
      ["styles", '<style styleId="List"><basedOn val="Base"/></style><style styleId="Base"><numId val="1"/></style>'],
    ]);

  it.each([
    ["decimal", "%1.", 9, ["9.", "10."]],
    ["decimalZero", "%1", 9, ["09", "10"]],
    ["lowerLetter", "%1)", 26, ["z)", "aa)"]],
    ["upperLetter", "(%1)", 1, ["(A)", "(B)"]],
    ["lowerRoman", "%1.", 3, ["iii.", "iv."]],
    ["upperRoman", "Part %1", 998, ["Part CMXCVIII", "Part CMXCIX"]],
    ["upperRoman", "%1", 1e9, ["1000000000", "1000000001"]],
    ["ideographDigital", "%1.", 1, ["1.", "2."]],
  ])("numbers a list in the format %s with %s from %s", async (format, text, start, numbers) => {
    const lines = await readLists(level(0, format, text, start), item("a", 1) + item("a", 1));
    expect(lines).toEqual(numbers.map((number) => `${number} a`));
  });

  it("shows bullets by their level, and no number of a list that has none", async () => {
    const levels = [0, 1, 2].map((at) => level(at, "bullet", "\uf0b7")).join("") + level(3, "none", "");
    const body = [0, 1, 2, 3, 4].map((at) => item("a", 1, at)).join("") + item("a", 0) + item("a", 9);
    expect(await readLists(levels, body)).toEqual(["• a", "◦ a", "▪ a", "a", "a", "a", "a"]);
  });

  it("counts levels from the start below each item, and numbers headings by all levels", async () => {
    const levels = level(0, "decimal", "%1") + level(1, "decimal", "%1.%2");
    const body = item("a", 1) + item("b", 1, 1) + item("c", 1, 1) + item("d", 1) + item("e", 1, 1);
    expect(await readLists(levels, body)).toEqual(["1 a", "1.1 b", "1.2 c", "2 d", "2.1 e"]);
    expect(await readLists(levels, item("a", 1, 1))).toEqual(["1.1 a"]);
  });

  it("goes on with a list after other text, and begins again with a list that has its own start", async () => {
    const override =
      '<num numId="2"><abstractNumId val="7"/><lvlOverride ilvl="0"><startOverride val="5"/></lvlOverride></num>';
    const body = item("a", 1) + p("<t>text</t>") + item("b", 1) + item("c", 2) + item("d", 1);
    expect(await readLists(level(0, "decimal", "%1."), body, override)).toEqual([
      "1. a",
      "text",
      "2. b",
      "5. c",
      "3. d",
    ]);
  });

  it("takes the list of a style, or of the style that it is based on", async () => {
    const body = `<p><pPr><pStyle val="List"/></pPr><r><t>a</t></r></p>${item("b", 0, 0, "List")}`;
    expect(await readLists(level(0, "decimal", "%1."), body)).toEqual(["1. a", "b"]);
  });

  it("shows symbols, and not the former list of a paragraph", async () => {
    const former = '<pPrChange><pPr><numPr><numId val="1"/></numPr></pPr></pPrChange>';
    const box = '<r><sym font="Wingdings" char="F0A8"/></r><r><t> a</t></r>';
    expect(await readLists(level(0, "decimal", "%1."), `<p><pPr>${former}</pPr>${box}</p>`)).toEqual(["☐ a"]);
  });

  it("says how many charts and diagrams it has", async () => {
    const diagram = '<drawing><graphicData uri="diagram"><relIds dm="rId1"/></graphicData></drawing>';
    const { notes } = JSON.parse(await outputOf(wordDocument(p("<t>a</t>") + p(diagram) + p("<chart/>")), "docx"));
    expect(notes).toEqual(["The document has 2 charts or diagrams."]);
  });

  it("shows headers before the text and footers after it, the same line once", async () => {
    const parts: [string, string][] = [
      ["header", p("<t>Shop</t>") + p("<t>Page 1</t>")],
      ["header", p("<t>Shop</t>")],
      ["footer", p("<t>Secret</t>")],
    ];
    expect(await read(p("<t>a</t>"), parts)).toEqual(["Shop", "Page 1", "a", "Secret"]);
  });
});
