// The numbers and bullets of a Word document's lists. A paragraph has only the id of its list, and its level.
import type { OfficeFile } from "./office.ts";

interface Level {
  format: string;
  /** "%1.%2" stands for the numbers of the first two levels. */
  text: string;
  start: number;
}

class List {
  readonly levels: Level[];
  readonly counts: number[] = [];

  constructor(levels: Level[] = []) {
    this.levels = levels;
  }
}

/** What a paragraph says about its list, or a style, which can be based on another one. */
export interface Item {
  style?: string | undefined;
  list?: string | undefined;
  level?: number | undefined;
}

const levelsMax = 9;
/** Most styles that are based on one another. */
const stylesMax = 20;

/** Returns a function that counts the items of the lists. It returns what stands before the text of the next item. */
export function listsOf(file: OfficeFile, numbering = "", styles = ""): (item: Item) => string {
  const lists = readLists(file, numbering);
  const known = new Map<string, Item>();
  let style: Item = {};
  file.read(styles, {
    open: (element, { styleId = "", val }) => {
      if (element === "style") {
        style = {};
        known.set(styleId, style);
      } else if (element === "basedOn") style.style = val;
      else if (element === "numId") style.list = val;
      else if (element === "ilvl") style.level = Number(val);
    },
  });
  return (item) => {
    let { list, level, style } = item;
    for (let count = 0; list === undefined && count < stylesMax; count++) {
      const above: Item = known.get(style ?? "") ?? {};
      [list, level, style] = [above.list, level ?? above.level, above.style];
    }
    return next(lists.get(list ?? ""), level ?? 0);
  };
}

/** Lists of the same definition count together, unless one of them has its own start. */
function readLists(file: OfficeFile, path: string): Map<string, List> {
  const definitions = new Map<string, List>();
  const lists = new Map<string, List>();
  let list = new List();
  let level: Level = { format: "", text: "", start: 1 };
  let id = "";
  file.read(path, {
    open: (element, { val = "", ilvl = "", abstractNumId = "", numId = "" }) => {
      if (element === "abstractNum") {
        list = new List();
        definitions.set(abstractNumId, list);
      } else if (element === "num") id = numId;
      else if (element === "abstractNumId") list = definitions.get(val) ?? new List();
      else if (element === "lvlOverride") {
        list = new List(list.levels.map((each) => ({ ...each })));
        level = list.levels[Number(ilvl)] ?? level;
      } else if (element === "lvl" && Number(ilvl) < levelsMax) {
        level = { format: "decimal", text: "", start: 1 };
        list.levels[Number(ilvl)] = level;
      } else if (element === "start" || element === "startOverride") level.start = Number(val);
      else if (element === "numFmt") level.format = val;
      else if (element === "lvlText") level.text = val;
      if (element === "abstractNumId" || element === "lvlOverride") lists.set(id, list);
    },
  });
  return lists;
}

function next(list: List | undefined, at: number): string {
  const level = list?.levels[at];
  if (!list || !level) return "";
  if (level.format === "bullet") return `${"•◦▪"[at % 3]} `;
  const { levels, counts } = list;
  for (let above = 0; above < at; above++) counts[above] ??= levels[above]?.start ?? 1;
  const count = counts[at];
  counts.length = at;
  counts.push(count === undefined ? level.start : count + 1);
  const shown = level.text.replace(/%([1-9])/g, (_, digit) =>
    numeral(levels[digit - 1]?.format ?? "", counts[digit - 1] ?? 1),
  );
  return shown ? `${shown} ` : "";
}

const romans = Object.entries({
  m: 1_000,
  cm: 900,
  d: 500,
  cd: 400,
  c: 100,
  xc: 90,
  l: 50,
  xl: 40,
  x: 10,
  ix: 9,
  v: 5,
  iv: 4,
  i: 1,
});

/** A number in digits, letters or Roman numerals. Above 1,000, it is in digits. */
function numeral(format: string, number: number): string {
  let text = String(number);
  if (!(number > 0 && number < 1_000)) return text;
  if (format === "decimalZero") return text.padStart(2, "0");
  if (/letter$/i.test(format)) text = String.fromCharCode(97 + ((number - 1) % 26)).repeat(Math.ceil(number / 26));
  if (/roman$/i.test(format)) {
    text = "";
    let left = number;
    for (const [roman, value] of romans) for (; left >= value; left -= value) text += roman;
  }
  return format.startsWith("upper") ? text.toUpperCase() : text;
}
