import { type Content, UnreadableFile } from "../file-content.ts";
import { limits } from "../file-limits.ts";
import { formatsOf } from "./formats.ts";
import { isOn, OfficeFile } from "./office.ts";
import { readSheet, unescaped } from "./sheet.ts";
import { Table } from "./table.ts";

/** Reads the rows of a workbook, sheet by sheet, as the sheets show them. Formulas have their stored results. */
export function readWorkbook(bytes: Buffer): Content {
  const file = new OfficeFile(bytes);
  const path = file.main;
  const relations = file.relationsOf(path);
  const sheets: { name: string; path: string }[] = [];
  let [hidden, is1904] = [0, false];
  file.read(path, {
    open: (element, { date1904, id = "", name = "", state = "" }) => {
      if (element === "workbookPr") is1904 = isOn(date1904);
      if (element !== "sheet") return;
      const relation = relations.get(id);
      if (/hidden/i.test(state)) hidden++;
      else if (relation?.type === "worksheet") sheets.push({ name, path: relation.path });
    },
  });
  const pathOf = (type: string) => [...relations.values()].find((each) => each.type === type)?.path ?? "";
  const strings = stringsOf(file, pathOf("sharedStrings"));
  const show = formatsOf(file, pathOf("styles"), is1904);
  const table = new Table();
  const { lines, marks } = table.content;
  for (const { name, path } of sheets) {
    const before = lines.length;
    table.mark(`Sheet: ${name}`);
    readSheet({ file, path, name, strings, show, table });
    if (lines.length === before) marks.pop();
  }
  if (marks.length === 1) marks.pop();
  table.note(hidden, (counted) => `The workbook has ${counted("hidden sheet")}.`);
  return table.content;
}

function stringsOf(file: OfficeFile, path: string): string[] {
  const strings: string[] = [];
  let [string, isText, isPronunciation] = ["", false, false];
  file.read(path, {
    open: (element) => {
      if (element === "si") string = "";
      else if (element === "rPh") isPronunciation = true;
      else isText = element === "t" && !isPronunciation;
    },
    close: (element) => {
      isText = false;
      if (element === "rPh") isPronunciation = false;
      if (element !== "si") return;
      if (strings.length === limits.cells) throw new UnreadableFile("tooLarge");
      strings.push(unescaped(string));
    },
    text: (text) => {
      if (isText) string += text;
    },
  });
  return strings;
}
