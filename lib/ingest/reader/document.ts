import type { Content } from "../file-content.ts";
import { type Attributes, isOn, OfficeFile } from "./office.ts";
import { Table } from "./table.ts";

/** Elements whose text is not shown, or is shown elsewhere too. */
const unseen = new Set(["Fallback", "moveFrom"]);
const spaces = new Set(["tab", "br", "cr"]);

/** Reads the paragraphs and tables of a Word document. A row of a table is a line. A table in a cell is text of the cell. */
export function readDocument(bytes: Buffer): Content {
  const file = new OfficeFile(bytes);
  const table = new Table();
  let [text, isText, isHidden] = ["", false, false];
  let [depth, unseenDepth] = [0, 0];
  let [cells, above]: [string[], string[]] = [[], []];
  let [span, goesOn] = [1, false];

  function open(element: string, { val }: Attributes): void {
    if (unseen.has(element)) unseenDepth++;
    else if (element === "t") isText = unseenDepth === 0 && !isHidden;
    else if (element === "r") isHidden = false;
    else if (element === "vanish") isHidden = val === undefined || isOn(val);
    else if (spaces.has(element)) text += " ";
    else if (element === "noBreakHyphen") text += "-";
    else if (element === "tbl") depth++;
    else if (element === "tc" && depth === 1) [text, span, goesOn] = ["", 1, false];
    else if (element === "gridSpan" && depth === 1) span = Number(val) || 1;
    else if (element === "vMerge" && depth === 1) goesOn = val !== "restart";
  }

  function close(element: string): void {
    isText = false;
    if (unseen.has(element)) unseenDepth--;
    else if (element === "p" && depth > 0) text += " ";
    else if (element === "p") {
      if (text.trim() === "") table.blank();
      else table.add([text]);
      text = "";
    } else if (element === "tc" && depth === 1) {
      const shown = goesOn ? (above[cells.length] ?? "") : text;
      table.count(span);
      for (let column = 0; column < span; column++) cells.push(shown);
    } else if (element === "tr" && depth === 1) {
      table.add(cells);
      [cells, above] = [[], cells];
    } else if (element === "tbl") {
      depth--;
      if (depth === 0) text = "";
    }
  }

  file.read(file.main, {
    open,
    close,
    text: (more) => {
      if (isText) text += more;
    },
  });
  return table.content;
}
