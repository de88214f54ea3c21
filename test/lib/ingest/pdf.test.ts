// PDFs of a few kilobytes whose reading would take minutes or gigabytes.
import { deflateSync } from "node:zlib";
import { expect, it, vi } from "vitest";
import { problems } from "../../../lib/ingest/file-content.ts";
import { outputOf } from "../../../lib/ingest/reader/main.ts";
import { deflatedTwice, formsThatDrawForms, pdf, textOperators } from "../../support/pdfs.ts";

const text = textOperators("Check the title.");
const deflated = (bytes: number) =>
  pdf({
    content: deflateSync(Buffer.concat([Buffer.alloc(bytes, " "), Buffer.from(text)])),
    filter: "/Filter /FlateDecode",
  });
/** A run of 128 spaces is two bytes. */
const runs = (bytes: number) => {
  const content = deflateSync(Buffer.alloc(bytes / 64, Buffer.from([129, 32])));
  return pdf({ content, filter: "/Filter [/FlateDecode /RunLengthDecode]" });
};
const read = async (bytes: Buffer) => JSON.parse(await outputOf(bytes, "pdf"));

it.each<[string, () => Buffer]>([
  ["forms with a text that draw forms, a million times", () => formsThatDrawForms(6, 10, textOperators("x"))],
  ["forms without a text that draw forms, a million times", () => formsThatDrawForms(6, 10, "0 0 m")],
  ["150 MB of spaces", () => deflated(150_000_000)],
  ["150 MB of spaces, deflated twice", () => pdf(deflatedTwice(150_000_000))],
  ["150 MB of spaces in another encoding", () => runs(150_000_000)],
  ["1,001 states in one another", () => pdf({ content: `${"q ".repeat(1_001)}${text}` })],
])("%s are too large", async (_, make) => {
  const before = [Date.now, Uint8Array, DecompressionStream, Object.create];
  expect(await read(make())).toEqual({ problem: "tooLarge" });
  expect([Date.now, Uint8Array, DecompressionStream, Object.create]).toEqual(before);
});

it.each<[string, () => Buffer]>([
  ["forms that draw forms, 1,000 times", () => formsThatDrawForms(3, 10, "0 0 m")],
  ["10 MB of spaces", () => deflated(10_000_000)],
  ["900 states in one another", () => pdf({ content: `${"q ".repeat(900)}${text}` })],
  ["10,000 states after one another", () => pdf({ content: `${"q Q ".repeat(10_000)}${text}` })],
  ["10 MB of spaces, deflated twice", () => pdf(deflatedTwice(10_000_000))],
])("%s are read", async (_, make) => {
  expect((await read(make())).lines).toHaveLength(1);
});

it("asks only for the rows of a page where a table has rows on many pages", async () => {
  const part = (role: string, parent: number, kids: string) =>
    `<< /Type /StructElem\n/S /${role}\n/P ${parent} 0 R /Pg 10 0 R /K [${kids}] >>`;
  const cell = (id: number, text: string) => `/P << /MCID ${id} >> BDC (${text}) Tj EMC`;
  const rows = [60, 61, 62, 63].map((number): [number, string] => [number, part("TR", 51, "")]);
  const file = pdf({
    pages: 2,
    content: `BT /F1 12 Tf 50 700 Td ${cell(0, "Check")} 40 0 Td ${cell(1, "Title")} ET`,
    catalog: "/StructTreeRoot 50 0 R",
    page: "/StructParents 0",
    objects: [
      [50, "<< /Type /StructTreeRoot /K 51 0 R /ParentTree << /Nums [0 [53 0 R 54 0 R]] >> >>"],
      [51, part("Table", 50, `52 0 R ${rows.map(([number]) => `${number} 0 R`).join(" ")}`)],
      [52, part("TR", 51, "53 0 R 54 0 R")],
      [53, part("TD", 52, "0")],
      [54, part("TD", 52, "1")],
      ...rows,
    ],
  });
  const messages = vi.spyOn(globalThis, "structuredClone");
  expect((await read(file)).lines[0]).toBe("Check | Title");
  expect(JSON.stringify(messages.mock.calls).match(/"role":"TR"/g)).toHaveLength(2);
  messages.mockRestore();
});

it("shows texts that were put on a page, and comments behind what they mark", async () => {
  const annotation = (entries: string, y = 699) => `<< /Type /Annot /Rect [60 ${y} 130 ${y + 12}] ${entries} >>`;
  const annotations = [
    annotation("/Subtype /Highlight /T (Ida) /Contents (Which\\ntitle?) /QuadPoints [60 711 130 711 60 699 130 699]"),
    annotation("/Subtype /Popup /Contents (Which title?)"),
    annotation("/Subtype /Link /Contents (a link)"),
    annotation("/Subtype /FreeText /T (Ben) /Contents (Check the cart.) /DA (/F1 12 Tf)", 660),
    annotation("/Subtype /FreeText /Contents (not shown) /DA (/F1 12 Tf) /F 2", 640),
  ];
  const { lines } = await read(pdf({ page: `/Annots [${annotations.join(" ")}]` }));
  expect(lines).toEqual(["Check the title. [Ida: Which title?]", "Check the cart."]);
});

it("each problem says what to do", () => {
  for (const problem of Object.values(problems)) expect(problem).toMatch(/^The file .+\. [A-Z].+\.$/);
});
