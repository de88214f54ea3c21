import type { Content } from "../file-content.ts";
import { type Item, listsOf } from "./lists.ts";
import { type Attributes, isOn, OfficeFile } from "./office.ts";
import { Table } from "./table.ts";

const spaces = new Set(["tab", "br", "cr"]);
const notes = new Set(["comment", "footnote", "endnote"]);

/**
 * Reads the paragraphs and tables of a Word document. A row of a table is a line, and a table in a cell is text of the
 * cell. A footnote, endnote or comment stands in brackets where the text refers to it.
 */
export function readDocument(bytes: Buffer): Content {
  const file = new OfficeFile(bytes);
  const paths = file.pathsOf(file.main);
  const texts = new Map<string, string>();
  for (const note of notes) for (const path of new Set(paths.get(`${note}s`))) readPart(file, path, texts);
  const table = new Table();
  const itemStart = listsOf(file, paths.get("numbering")?.[0], paths.get("styles")?.[0]);
  /** Each section of a document can have several headers, and most of them are the same. */
  const addMargins = (type: string) => {
    const lines = [...new Set(paths.get(type))].flatMap((path) => readPart(file, path, texts).lines);
    for (const line of new Set(lines)) table.addText(line);
  };
  addMargins("header");
  readPart(file, file.main, texts, table, itemStart);
  addMargins("footer");
  for (const text of texts.values()) table.addText(text);
  return table.content;
}

/** Reads a part. Its notes come into `texts`, and the notes that it refers to are taken from there. */
function readPart(
  file: OfficeFile,
  path: string,
  texts: Map<string, string>,
  table = new Table(),
  itemStart: (item: Item) => string = () => "",
): Content {
  let [text, isHidden, depth] = ["", false, 0];
  let [cells, above]: [string[], string[]] = [[], []];
  let [span, goesOn] = [1, false];
  let [id, author] = ["", ""];
  let [item, start]: [Item, string] = [{}, ""];
  let charts = 0;

  function open(element: string, attributes: Attributes): void {
    const { val } = attributes;
    if (element === "r") isHidden = false;
    else if (element === "p") [item, start] = [{}, ""];
    else if (element === "pStyle") item.style = val;
    else if (element === "numId") item.list = val;
    else if (element === "ilvl") item.level = Number(val);
    else if (element === "sym") write(String.fromCharCode(Number.parseInt(attributes.char ?? "", 16)));
    else if (element === "vanish") isHidden = val === undefined || isOn(val);
    else if (element === "chart" || element === "relIds") charts++;
    else if (spaces.has(element)) text += " ";
    else if (element === "noBreakHyphen") text += "-";
    else if (element.endsWith("Reference")) text += referredTo(`${element} ${attributes.id}`);
    // All text of a note is text of one cell.
    else if (notes.has(element))
      [id, author, depth] = [`${element}Reference ${attributes.id}`, attributes.author ?? "", 2];
    else if (element === "tbl") depth++;
    else if (depth !== 1) return;
    else if (element === "tc") [text, span, goesOn] = ["", 1, false];
    else if (element === "gridSpan") span = Number(val) || 1;
    else if (element === "vMerge") goesOn = val !== "restart";
  }

  function write(more: string): void {
    if (!isHidden) [text, start] = [text + start + more, ""];
  }

  function referredTo(key: string): string {
    const note = texts.get(key);
    texts.delete(key);
    return note ? ` [${note}]` : "";
  }

  function close(element: string, own: string): void {
    if (element === "pPr") start = itemStart(item);
    else if (element === "t") write(own);
    else if (element === "p" && depth > 0) text += " ";
    else if (element === "p") {
      table.addText(text.trim());
      text = "";
    } else if (notes.has(element)) {
      if (text.trim() !== "") texts.set(id, `${author && `${author}: `}${text.trim()}`);
      [text, depth] = ["", 0];
    } else if (element === "tc" && depth === 1) {
      table.count(span);
      const shown = goesOn ? (above[cells.length] ?? "") : text;
      for (let column = 0; column < span; column++) cells.push(shown);
    } else if (element === "tr" && depth === 1) {
      table.add(cells);
      [above, cells] = [cells, []];
    } else if (element === "tbl" && --depth === 0) text = "";
  }

  file.read(path, { open, close });
  table.noteCharts(charts, "The document");
  return table.content;
}
