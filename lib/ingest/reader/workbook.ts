import { type Content, UnreadableFile } from "../file-content.ts";
import { limits } from "../file-limits.ts";
import { formatsOf } from "./formats.ts";
import { isOn, OfficeFile } from "./office.ts";
import { readSheet, unescaped } from "./sheet.ts";
import { Table } from "./table.ts";

/** Reads the rows of a workbook, sheet by sheet, as the sheets show them. Formulas have their stored results. */
export function readWorkbook(bytes: Buffer): Content {
  const file = new OfficeFile(bytes);
  const paths = file.pathsOf(file.main);
  const sheets: { name: string; path: string | undefined }[] = [];
  let [hidden, is1904] = [0, false];
  file.read(file.main, {
    open: (element, { date1904, id = "", name = "", state = "" }) => {
      if (element === "workbookPr") is1904 = isOn(date1904);
      if (element !== "sheet") return;
      if (/hidden/i.test(state)) hidden++;
      else sheets.push({ name, path: paths.get(id)?.[0] });
    },
  });
  const strings = stringsOf(file, paths.get("sharedStrings")?.[0]);
  const show = formatsOf(file, paths.get("styles")?.[0], is1904);
  const table = new Table();
  const { lines, marks } = table.content;
  for (const { name, path } of sheets) {
    const before = lines.length;
    table.mark(`Sheet: ${name}`);
    readSheet({ file, path, name, strings, show, table });
    if (lines.length === before) marks.pop();
  }
  if (marks.length === 1) marks.pop();
  table.note(hidden, "The workbook has", "hidden sheet");
  return table.content;
}

function stringsOf(file: OfficeFile, path: string | undefined): string[] {
  const strings: string[] = [];
  let string = "";
  file.read(path, {
    close: (element, text) => {
      if (element === "t") string += text;
      if (element !== "si") return;
      if (strings.push(unescaped(string)) > limits.cells) throw new UnreadableFile("tooLarge");
      string = "";
    },
  });
  return strings;
}
