// Malicious files, and harmless files with an unusual form. All are generated here.
import type { Problem } from "../../lib/ingest/file-content.ts";
import type { FileKind } from "../../lib/ingest/file-type.ts";
import { deflatedTwice, formsThatDrawForms, imageOnly, pdf, textOperators } from "./pdfs.ts";
import { inlineCell, relationsTo, rowOf, wordDocument, workbook, workbookEntries } from "./workbooks.ts";
import { zip } from "./zip.ts";

/** `outcome`: reading the file gives one of these problems, or these lines. */
export type HostileFile = [name: string, kind: FileKind, make: () => Buffer, outcome: Problem[] | { lines: string[] }];

const externalEntity =
  '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd"><!ENTITY a "bbbbbbbb"><!ENTITY b "&a;&a;">]>';
const worksheet = 'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"';
const relation = (target: string, mode = "") =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" ${mode} ${worksheet} Target="${target}"/></Relationships>`;
const withClaimedSize = (claimedBytes: number) =>
  workbookEntries({ sheets: [rowOf("x".repeat(1_000_000))] }).map((entry) =>
    entry.name.includes("sheet1") ? { ...entry, claimedBytes } : entry,
  );
const withFlag = (flags: number) => workbookEntries({ sheets: [rowOf("a")] }).map((entry) => ({ ...entry, flags }));
const withFormats = (rows: string, ...codes: string[]) =>
  workbook({
    sheets: [rows],
    styles: `<numFmts>${codes.map((code, index) => `<numFmt numFmtId="${index + 200}" formatCode="${code}"/>`).join("")}</numFmts><cellXfs><xf/>${codes.map((_, index) => `<xf numFmtId="${index + 200}"/>`).join("")}</cellXfs>`,
  });
const merged = (range: string, count: number) =>
  workbook({
    sheets: [rowOf("a", "b") + rowOf("c", "d")],
    merges: `<mergeCell ref="${range}"/>`.repeat(count),
  });
const ole = Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(4_096)]);
const utf16be = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le").swap16();

const workbooks: HostileFile[] = [
  [
    "a bomb of 1 GB",
    "xlsx",
    () => workbook({ sheets: [rowOf("a".repeat(500_000_000)), rowOf("a".repeat(500_000_000))] }),
    ["tooLarge"],
  ],
  [
    "10 million shared strings",
    "xlsx",
    () => workbook({ sheets: [rowOf("a")], strings: "<si><t>a</t></si>".repeat(10_000_000) }),
    ["tooLarge"],
  ],
  [
    "4 million shared strings, within the limit of unpacked bytes",
    "xlsx",
    () => workbook({ sheets: [rowOf("a")], strings: "<si><t>a</t></si>".repeat(4_000_000) }),
    ["tooLarge", "tooMuchMemory", "tooSlow"],
  ],
  ["headers that claim less", "xlsx", () => zip(withClaimedSize(1_000)), ["damaged"]],
  ["headers that claim more", "xlsx", () => zip(withClaimedSize(70_000_000)), ["damaged"]],
  [
    "a lone cell in the last column",
    "xlsx",
    () => workbook({ sheets: [`<row r="1048576">${inlineCell("x", "XFD1048576")}</row>`] }),
    ["damaged", "tooLarge"],
  ],
  [
    "100,000 lone cells in the last column",
    "xlsx",
    () =>
      workbook({
        sheets: [
          Array.from({ length: 100_000 }, (_, r) => `<row r="${r + 1}">${inlineCell("x", `XFD${r + 1}`)}</row>`).join(
            "",
          ),
        ],
      }),
    ["damaged", "tooLarge", "tooMuchMemory", "tooSlow"],
  ],
  ["20,000 sheets", "xlsx", () => workbook({ sheets: new Array(20_000).fill(rowOf("a")) }), ["tooLarge"]],
  [
    "cyclic relations",
    "xlsx",
    () =>
      workbook({
        sheets: [rowOf("ok")],
        more: [{ name: "xl/worksheets/_rels/sheet1.xml.rels", content: relation("sheet1.xml") }],
      }),
    { lines: ["ok"] },
  ],
  [
    "a workbook that is its own sheet",
    "xlsx",
    () =>
      workbook({ sheets: [rowOf("a")], workbookRels: `<Relationship Id="rId1" ${worksheet} Target="workbook.xml"/>` }),
    ["damaged", "empty"],
  ],
  [
    "elements a million deep",
    "xlsx",
    () => workbook({ sheets: [`${"<row>".repeat(1_000_000)}${"</row>".repeat(1_000_000)}`] }),
    ["damaged", "empty", "tooLarge", "tooMuchMemory", "tooSlow"],
  ],
  [
    "external entities",
    "xlsx",
    () => workbook({ prolog: externalEntity, sheets: [rowOf("&e;&b;ok")] }),
    { lines: ["&e;&b;ok"] },
  ],
  [
    "formulas and links, never followed",
    "xlsx",
    () =>
      workbook({
        sheets: [`<row><c r="A1"><f>WEBSERVICE("http://127.0.0.1/")</f><v>2</v></c>${inlineCell("ok", "B1")}</row>`],
        more: [
          {
            name: "xl/externalLinks/_rels/externalLink1.xml.rels",
            content: relation("file:///etc/passwd", 'TargetMode="External"'),
          },
        ],
      }),
    { lines: ["2 | ok"] },
  ],
  [
    "macros",
    "xlsx",
    () => workbook({ sheets: [rowOf("ok")], more: [{ name: "xl/vbaProject.bin", content: ole }] }),
    { lines: ["ok"] },
  ],
  [
    "an entry whose name leads out of the archive",
    "xlsx",
    () => workbook({ sheets: [rowOf("a")], more: [{ name: "../../tmp/evil", content: "x" }] }),
    ["damaged"],
  ],
  [
    "an entry with an absolute name",
    "xlsx",
    () => workbook({ sheets: [rowOf("a")], more: [{ name: "/etc/cron.d/evil", content: "x" }] }),
    ["damaged"],
  ],
  ["an encrypted workbook", "xlsx", () => ole, ["encrypted"]],
  ["encrypted entries", "xlsx", () => zip(withFlag(1)), ["encrypted"]],
  ["an archive that is not a workbook", "xlsx", () => zip([{ name: "a.txt", content: "a" }]), ["damaged"]],
  ["a truncated archive", "xlsx", () => workbook({ sheets: [rowOf("a")] }).subarray(0, 900), ["damaged"]],
  ["no cells", "xlsx", () => workbook({}), ["empty"]],
  [
    "one long string in a million cells",
    "xlsx",
    () =>
      workbook({
        sheets: [`<row>${'<c t="s"><v>0</v></c>'.repeat(900)}</row>`.repeat(1_000)],
        strings: `<si><t>${"x".repeat(32_767)}</t></si>`,
      }),
    ["tooLarge"],
  ],
  [
    "a number format of a million sections",
    "xlsx",
    () => withFormats('<row><c s="1"><v>0.5</v></c></row>', "0;".repeat(1_000_000)),
    { lines: ["0.5"] },
  ],
  [
    "a number format that repeats a text 255 times",
    "xlsx",
    () => withFormats(`<row><c s="1" t="str"><v>${"x".repeat(32_767)}</v></c></row>`.repeat(1_000), "@".repeat(255)),
    ["tooLarge"],
  ],
  ["a merged range of the whole sheet", "xlsx", () => merged("A1:XFD1048576", 1), { lines: ["a | a", "a | a"] }],
  ["a million merged ranges", "xlsx", () => merged("A1:XFD1048576", 1_000_000), ["tooLarge"]],
  [
    "a million ranges of hidden columns",
    "xlsx",
    () =>
      workbook({
        prolog: "",
        sheets: [rowOf("a")],
        columns: '<col min="1" max="16384" hidden="1"/>'.repeat(1_000_000),
      }),
    ["empty"],
  ],
  [
    "four million paragraphs in a text box",
    "xlsx",
    () => {
      const drawing = { name: "xl/drawings/drawing1.xml", content: `<x>${"<p><t>a</t></p>".repeat(4_000_000)}</x>` };
      const relations = {
        name: "xl/worksheets/_rels/sheet1.xml.rels",
        content: relationsTo([["drawing", "../drawings/drawing1.xml"]]),
      };
      return workbook({ sheets: [rowOf("a")], more: [relations, drawing] });
    },
    ["tooLarge", "tooSlow", "tooMuchMemory"],
  ],
  [
    "a printed header of three million page numbers",
    "xlsx",
    () => workbook({ sheets: [rowOf("a")], margins: `<oddHeader>${"ab &amp;P ".repeat(3_000_000)}</oddHeader>` }),
    { lines: ["a"] },
  ],
];

const documents: HostileFile[] = [
  [
    "tables a million deep",
    "docx",
    () => wordDocument("<tbl><tr><tc>".repeat(1_000_000)),
    ["damaged", "tooMuchMemory"],
  ],
  [
    "a cell over two billion columns",
    "docx",
    () => wordDocument('<tbl><tr><tc><gridSpan w:val="2000000000"/><p><t>a</t></p></tc></tr></tbl>'),
    ["tooLarge"],
  ],
  [
    "a list with 300,000 starts",
    "docx",
    () => {
      const level = '<lvl ilvl="0"><start val="1e308"/><lvlText val="%1%2%3%4%5%6%7%8%9"/></lvl>'.repeat(100_000);
      const starts = '<lvlOverride ilvl="999999999"><startOverride val="-1e308"/></lvlOverride>'.repeat(300_000);
      const list = `<abstractNum abstractNumId="1">${level}</abstractNum><num numId="1"><abstractNumId val="1"/>${starts}</num>`;
      const item = '<p><pPr><ilvl val="999999999"/><numId val="1"/></pPr><r><t>Check the title.</t></r></p>';
      return wordDocument(item, [["numbering", list]]);
    },
    { lines: ["Check the title."] },
  ],
  [
    "styles that are based on each other",
    "docx",
    () => {
      const styles = '<style styleId="a"><basedOn val="b"/></style><style styleId="b"><basedOn val="a"/></style>';
      return wordDocument('<p><pPr><pStyle val="a"/></pPr><r><t>Check the title.</t></r></p>', [["styles", styles]]);
    },
    { lines: ["Check the title."] },
  ],
  ["a million empty paragraphs", "docx", () => wordDocument("<p/>".repeat(1_000_000)), ["empty"]],
  ["an encrypted document", "docx", () => ole, ["encrypted"]],
];

const each = (count: number, text: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => text(at)).join(" ");

const pdfs: HostileFile[] = [
  ["a nested bomb", "pdf", () => pdf(deflatedTwice(600_000_000)), ["tooLarge"]],
  ["forms that draw forms", "pdf", () => formsThatDrawForms(6, 10, textOperators("x")), ["tooLarge"]],
  [
    "encrypted with a user password",
    "pdf",
    () => pdf({ passwords: { user: "secret", owner: "owner" } }),
    ["encrypted"],
  ],
  [
    "encrypted without a user password",
    "pdf",
    () => pdf({ passwords: { user: "", owner: "owner" } }),
    { lines: ["Check the title."] },
  ],
  ["an image and no text", "pdf", () => pdf(imageOnly), ["empty"]],
  ["a broken cross-reference table", "pdf", () => pdf({ xref: "wrong" }), { lines: ["Check the title."] }],
  [
    "a page tree with a cycle",
    "pdf",
    () => Buffer.from(pdf().toString("latin1").replace("[10 0 R]", "[2 0 R ]"), "latin1"),
    ["damaged", "empty", "tooSlow"],
  ],
  ["10,000 pages", "pdf", () => pdf({ pages: 10_000 }), ["tooLarge"]],
  [
    "a stream without an end",
    "pdf",
    () => pdf({ isEndless: true, claimedBytes: 2_000_000_000 }),
    ["damaged", "empty", "tooSlow"],
  ],
  ["only its first line", "pdf", () => Buffer.from("%PDF-1.7\n"), ["damaged"]],
  [
    "100,000 texts at one position",
    "pdf",
    () => pdf({ content: textOperators("x").repeat(100_000) }),
    { lines: ["x"] },
  ],
  [
    "100,000 words on one baseline",
    "pdf",
    () => pdf({ content: each(100_000, (at) => `BT /F1 0.001 Tf ${at * 0.005} 700 Td (x) Tj ET`) }),
    ["tooLarge", "tooSlow", "tooMuchMemory"],
  ],
  [
    "a million texts in two columns",
    "pdf",
    () =>
      pdf({ content: each(1_000_000, (at) => `BT /F1 9 Tf ${(at % 2) * 300} ${(at % 797) + 1} Td (x${at}) Tj ET`) }),
    ["tooLarge", "tooSlow", "tooMuchMemory"],
  ],
  [
    "numbers beyond all limits",
    "pdf",
    () => {
      const far = ["1e999 0 0 1 0 0", "1 0 0 1 1e308 1e308", "0 0 0 0 0 0", "1e200 1e200 1e200 1e200 9 9"];
      const texts = far.map((matrix) => `BT /F1 9 Tf ${matrix} Tm (far) Tj ET`);
      return pdf({ content: `${texts.join(" ")} ${textOperators("Check the title.")}` });
    },
    { lines: ["Check the title.", "far", "far"] },
  ],
  [
    "a form of 100,000 fields",
    "pdf",
    () => {
      const [all, objects] = annotations((at) => `/Subtype /Widget /FT /Tx /T (f${at}) /V (x)`);
      return pdf({ catalog: `/AcroForm << /Fields ${all} >>`, page: `/Annots ${all}`, objects });
    },
    ["tooSlow", "tooMuchMemory"],
  ],
  [
    "100,000 comments on marked texts",
    "pdf",
    () => {
      const [all, objects] = annotations(() => "/Subtype /Highlight /Contents (Why?) /QuadPoints [0 0 9 0 0 9 9 9]");
      return pdf({ page: `/Annots ${all}`, objects });
    },
    ["tooSlow", "tooMuchMemory"],
  ],
  [
    "an outline 100,000 levels deep",
    "pdf",
    () => {
      const level = (at: number): [number, string] => [
        at,
        `<< /S /TD /P ${at + 1} 0 R /K ${at === 20 ? 0 : `${at - 1} 0 R`} >>`,
      ];
      return pdf({
        catalog: "/StructTreeRoot 200000 0 R",
        page: "/StructParents 0",
        content:
          "BT /F1 9 Tf 50 700 Td /P << /MCID 0 >> BDC (Check) Tj EMC 27 0 Td /P << /MCID 1 >> BDC (it) Tj EMC ET",
        objects: [
          ...Array.from({ length: 100_000 }, (_, at) => level(20 + at)),
          [200_000, "<< /Type /StructTreeRoot /K 100019 0 R /ParentTree << /Nums [0 [20 0 R 20 0 R]] >> >>"],
        ],
      });
    },
    { lines: ["Check it"] },
  ],
  [
    "a page that draws itself",
    "pdf",
    () =>
      pdf({
        content: `${textOperators("Check the title.")} /X Do /X Do`,
        page: "/Resources << /Font << /F1 3 0 R >> /XObject << /X 4 0 R >> >>",
      }),
    { lines: ["Check the title."] },
  ],
];

const tables: HostileFile[] = [
  [
    "UTF-16, little-endian",
    "csv",
    () => Buffer.from("\ufeffTask,Owner\nPrüfen,ä", "utf16le"),
    { lines: ["Task | Owner", "Prüfen | ä"] },
  ],
  ["UTF-16, big-endian", "csv", () => utf16be("Task,Owner\nPrüfen,ä"), { lines: ["Task | Owner", "Prüfen | ä"] }],
  [
    "Windows-1252",
    "csv",
    () => Buffer.from("Task,Owner\nPr\xfcfen \x80,x", "latin1"),
    { lines: ["Task | Owner", "Prüfen € | x"] },
  ],
  [
    "a quote that never closes",
    "csv",
    () => Buffer.from('Task,Owner\n"Check,me\nand,me'),
    { lines: ["Task | Owner", "Check | me", "and | me"] },
  ],
  [
    "a million quotes that never close",
    "csv",
    () => Buffer.from('"a\n'.repeat(1_000_000)),
    { lines: new Array(1_000_000).fill("a") },
  ],
  ["a million quotes that never close, in a line", "csv", () => Buffer.from(' "a,'.repeat(1_000_000)), ["tooLarge"]],
  ["a million quotes in quotes", "csv", () => Buffer.from('"("a'.repeat(1_000_000)), ["tooLarge"]],
  ["one cell of 5 MB", "csv", () => Buffer.from(`a,"${"x".repeat(5_000_000)}"`), ["tooLarge"]],
  ["a million columns", "csv", () => Buffer.from("a,".repeat(1_000_000)), ["tooLarge"]],
  [
    "formulas, kept as text",
    "csv",
    () => Buffer.from('Task,Owner\n"=HYPERLINK(""http://x"")",@SUM(1)'),
    { lines: ["Task | Owner", '=HYPERLINK("http://x") | @SUM(1)'] },
  ],
  [
    "mixed line endings",
    "csv",
    () => Buffer.from("Task,Owner\r\na,b\nc,d\re,f"),
    { lines: ["Task | Owner", "a | b", "c | d", "e | f"] },
  ],
  ["nothing but white space", "csv", () => Buffer.from(" \n,,,\n\r\n"), ["empty"]],
  ["no bytes", "csv", () => Buffer.alloc(0), ["empty"]],
];

/** 100,000 annotations of a page, as a list of their numbers, and as objects. */
function annotations(entries: (at: number) => string): [all: string, objects: [number, string][]] {
  const objects = Array.from({ length: 100_000 }, (_, at): [number, string] => {
    const place = `[9 ${at % 700} 99 ${(at % 700) + 9}]`;
    return [20 + at, `<< /Type /Annot ${entries(at)} /Rect ${place} >>`];
  });
  return [`[${objects.map(([number]) => `${number} 0 R`).join(" ")}]`, objects];
}

export const hostileFiles: HostileFile[] = [...workbooks, ...documents, ...pdfs, ...tables];
