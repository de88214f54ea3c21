// The texts of a sheet that are not values of its cells: notes, text boxes, and what is printed on each page.
import type { OfficeFile } from "./office.ts";
import type { Table } from "./table.ts";

/**
 * The notes of a sheet by the names of their cells. A file has each thread of comments a second time, as a note in the
 * old form. The thread replaces that note.
 */
export function notesOf(file: OfficeFile, path: string | undefined): Map<string, string> {
  const paths = path === undefined ? undefined : file.pathsOf(path);
  const read = (type: string, element: string) => {
    const notes = new Map<string, string>();
    let [cell, text] = ["", ""];
    const open = (opened: string, { ref = "" }) => {
      if (opened === element) [cell, text] = [ref, ""];
    };
    const close = (closed: string, own: string) => {
      if (closed === "t" || closed === "text") text += own;
      else if (closed === element && text !== "")
        notes.set(cell, notes.has(cell) ? `${notes.get(cell)}; ${text}` : text);
    };
    file.read(paths?.get(type)?.[0], { open, close });
    return notes;
  };
  return new Map([...read("comments", "comment"), ...read("threadedComment", "threadedComment")]);
}

/** Adds a line for each paragraph of the sheet's text boxes, and says how many charts and diagrams it has. */
export function addBoxes(file: OfficeFile, path: string | undefined, name: string, table: Table): void {
  let [text, charts] = ["", 0];
  const open = (element: string) => {
    if (element === "br") text += " ";
    if (element === "graphicFrame") charts++;
  };
  const close = (element: string, own: string) => {
    if (element === "t") text += own;
    if (element !== "p") return;
    if (text.trim() !== "") table.addText(text.trim());
    text = "";
  };
  if (path !== undefined) file.read(file.pathsOf(path).get("drawing")?.[0], { open, close });
  table.noteCharts(charts, `The sheet ${name}`);
}

const formatting = /&(?:"[^"]*"|K[\da-f+-]{6}|\d{1,3}|[BIUSXYEOH])/gi;
const pageNumber = /(?<!\p{L})\p{L}{0,20}\s?&P(?:[^&]{0,9}&N)?/gu;

/** The parts of a printed header or footer. Page numbers, dates and names of files are left out. */
export const marginOf = (code: string): string[] =>
  code
    .replaceAll("&&", "\0")
    .split(/&[LCR]/)
    .map((part) => part.replace(formatting, "").replace(pageNumber, "").replace(/&./g, "").replaceAll("\0", "&"))
    .filter((part) => /[\p{L}\p{N}]/u.test(part));
