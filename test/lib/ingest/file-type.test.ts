import { describe, expect, it } from "vitest";
import { fileOf, kindOf, mimeTypes, problemOfFile, problemOfType } from "../../../lib/ingest/file-type.ts";
import { pdf } from "../../support/pdfs.ts";
import { rowOf, workbook } from "../../support/workbooks.ts";
import { zip } from "../../support/zip.ts";

const excel = "application/vnd.ms-excel";
const xlsx = mimeTypes.find((type) => type.endsWith(".sheet")) as string;
const docx = mimeTypes.find((type) => type.endsWith(".document")) as string;
const ole = (stream: string) =>
  Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(512), Buffer.from(stream, "utf16le")]);
const book = workbook({ sheets: [rowOf("a")] });
const word = zip([{ name: "word/document.xml", content: "<document/>" }]);
const table = "Task;Owner\nCheck a, b;QA\n";

describe("the kind of a file", () => {
  it.each<[string, string, string | Buffer, string | undefined]>([
    ["a table as text/csv", "text/csv", table, "csv"],
    ["a type with parameters, in upper case", "Text/CSV; charset=utf-8", table, "csv"],
    ["a table as application/csv", "application/csv", table, "csv"],
    ["a table as comma-separated values", "text/comma-separated-values", table, "csv"],
    ["a table as text/x-csv", "text/x-csv", table, "csv"],
    ["a table as application/x-csv", "application/x-csv", table, "csv"],
    ["Markdown under its former type", "text/x-markdown", "# Checks\n- a\n", "text"],
    ["a document with macros", "application/vnd.ms-word.document.macroEnabled.12", word, "docx"],
    ["a table as tab-separated values", "text/tab-separated-values", table, "csv"],
    ["a table as Excel's type", excel, table, "csv"],
    ["a workbook as Excel's type", excel, book, "xlsx"],
    ["a workbook", xlsx, book, "xlsx"],
    ["a workbook with macros", "application/vnd.ms-excel.sheet.macroEnabled.12", book, "xlsx"],
    ["an encrypted workbook", xlsx, ole("EncryptedPackage"), "xlsx"],
    ["a document", docx, word, "docx"],
    ["a PDF", "application/pdf", pdf(), "pdf"],
    ["a PDF after some bytes", "application/pdf", Buffer.concat([Buffer.from("\n\n"), pdf()]), "pdf"],
    ["a list as text/plain", "text/plain", "Check a.\nCheck b, then c.\n", "text"],
    ["a list with a comma in each line", "text/plain", "Check a, then b.\nCheck c, then d.\n", "text"],
    ["a line as text/plain", "text/plain", "a,b,c", "text"],
    ["a table as text/plain", "text/plain", 'Task,Owner\n"Check a, b",QA\nCheck c,Dev\n', "csv"],
    ["a table with tabs as text/plain", "text/plain", "Task\tOwner\nCheck a, b\tQA\n", "csv"],
    ["a table in UTF-16 as text/plain", "text/plain", Buffer.from(`\ufeff${table}`, "utf16le"), "csv"],
    ["a table as Markdown", "text/markdown", table, "text"],
    ["Markdown that begins with HTML", "text/markdown", "<table><tr><td>a</td></tr></table>\n# Checks", "text"],
    ["UTF-16 without a mark that is not ASCII", "text/csv", Buffer.from("ä,b", "utf16le"), undefined],
    ["an archive's first bytes", "text/plain", "PK\x03\x04 is how archives begin", undefined],
    ["a type of no kind", "constructor", table, undefined],
    ["no type", "", table, undefined],
  ])("%s", (_, mimeType, bytes, kind) => {
    expect(kindOf(mimeType, Buffer.from(bytes))).toBe(kind);
  });
});

describe("a refusal", () => {
  it.each<[string, string, string | Buffer, RegExp]>([
    ["an old workbook", excel, ole("Workbook"), / XLS, .* Save it as \.xlsx, \.docx or PDF\.$/],
    ["an old workbook of another type", xlsx, ole("Book"), / XLS, .* Save it as \.xlsx/],
    ["an old document", docx, ole("WordDocument"), / DOC, .* Save it as /],
    ["RTF as text", "text/plain", "{\\rtf1\\ansi Check a.\\par}", / RTF, .* Save it as /],
    ["a presentation", docx, zip([{ name: "ppt/presentation.xml", content: "" }]), / PPTX .* Save it as /],
    [
      "an OpenDocument file",
      xlsx,
      zip([{ name: "mimetype application/vnd.oasis.opendocument", content: "" }]),
      /\.xlsx/,
    ],
    [
      "HTML that is named as a workbook",
      excel,
      "\n<HTML><table><tr><td>a</td></tr></table>",
      /HTML or XML\. Save it as \.xlsx/,
    ],
    ["XML that is named as a workbook", excel, '<?xml version="1.0"?><Workbook/>', /XML\. Save it as \.xlsx/],
    [
      "a binary workbook",
      xlsx,
      zip([{ name: "xl/workbook.bin", content: "" }]),
      /other Office file.* Save it as \.xlsx/,
    ],
    ["a workbook as text/csv", "text/csv", book, /mimeType: the file is an Excel workbook \(XLSX\)\.$/],
    ["a document as a workbook", xlsx, word, /the file is a Word document \(DOCX\)\.$/],
    ["a text as a workbook", xlsx, "a,b", /the file is text\.$/],
    ["a picture", "text/csv", "\x89PNG\r\n", /: Does not match mimeType\.$/],
  ])("names what the file is: %s", (_, mimeType, bytes, message) => {
    const content = Buffer.from(bytes as string, typeof bytes === "string" ? "latin1" : undefined);
    expect(() => fileOf(content, mimeType, "fileBase64")).toThrow(message);
  });

  it("says what to do with types that are not supported", () => {
    for (const type of ["application/msword", "text/html", "image/png"])
      expect(problemOfType(type)).toMatch(
        /^Is not supported: save the file as \.xlsx, .* text\/csv, .*text\/markdown\.$/,
      );
    expect(problemOfType("text/csv")).toBeUndefined();
  });

  it("says what is wrong with the base64", () => {
    expect(problemOfFile("data:text/csv;base64,YSxi")).toBe('Must be base64 alone: remove "data:text/csv;base64,".');
    expect(problemOfFile("-_8=")).toBe('Must be base64, not base64url: replace "-" by "+" and "_" by "/".');
    expect(problemOfFile("+-_/")).toBe("Must be base64.");
    expect(["+/8=", "YSxi", "YQ", " Y Q = = "].map(problemOfFile)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
