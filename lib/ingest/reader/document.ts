import type { Content } from "../file-content.ts";
import { type Attributes, isOn, OfficeFile } from "./office.ts";
import { Table } from "./table.ts";

const spaces = new Set(["tab", "br", "cr"]);

/** Reads the paragraphs and tables of a Word document. A row of a table is a line. A table in a cell is text of the cell. */
export function readDocument(bytes: Buffer): Content {
  const file = new OfficeFile(bytes);
  const table = new Table();
  let [text, isHidden, depth] = ["", false, 0];
  let [cells, above]: [string[], string[]] = [[], []];
  let [span, goesOn] = [1, false];

  function open(element: string, { val }: Attributes): void {
    if (element === "r") isHidden = false;
    else if (element === "vanish") isHidden = val === undefined || isOn(val);
    else if (spaces.has(element)) text += " ";
    else if (element === "noBreakHyphen") text += "-";
    else if (element === "tbl") depth++;
    else if (depth !== 1) return;
    else if (element === "tc") [text, span, goesOn] = ["", 1, false];
    else if (element === "gridSpan") span = Number(val) || 1;
    else if (element === "vMerge") goesOn = val !== "restart";
  }

  function close(element: string, own: string): void {
    if (element === "t" && !isHidden) text += own;
    else if (element === "p" && depth > 0) text += " ";
    else if (element === "p") {
      table.addText(text);
      text = "";
    } else if (element === "tc" && depth === 1) {
      table.count(span);
      const shown = goesOn ? (above[cells.length] ?? "") : text;
      for (let column = 0; column < span; column++) cells.push(shown);
    } else if (element === "tr" && depth === 1) {
      table.add(cells);
      [above, cells] = [cells, []];
    } else if (element === "tbl" && --depth === 0) text = "";
  }

  file.read(file.main, { open, close });
  return table.content;
}
