// The text of a PDF page as pieces with positions: runs of glyphs, and the values of form fields.
import type { PageViewport, PDFPageProxy } from "unpdf/pdfjs";
import { readsLeftward, turned } from "./pdf-line.ts";

/** A wider gap divides texts, unless the outline says otherwise. In font sizes. */
export const wide = 0.6;

/** A text that is seen from x to `right` on the baseline y. A larger y is further down. */
export interface Piece extends Partial<Place> {
  text: string;
  x: number;
  right: number;
  y: number;
  size: number;
  /** Its place in the order in which the page is drawn. A field has none. */
  order?: number;
  /** The part of the file's outline that it belongs to. */
  tag?: string | undefined;
}

/** The pieces of a page in groups, one for each direction of writing. The group with the most pieces comes first. */
export async function piecesOf(page: PDFPageProxy): Promise<Piece[][]> {
  const { items } = await page.getTextContent({ includeMarkedContent: true, disableNormalization: true });
  const viewport = page.getViewport({ scale: 1 });
  const groups = new Map<number, Piece[]>([[0, []]]);
  const tags: (string | undefined)[] = [];
  items.forEach((item, order) => {
    if ("type" in item && item.type === "endMarkedContent") tags.pop();
    else if (!("str" in item)) tags.push(item.id || tags.at(-1));
    else if (item.str.trim() !== "") {
      const angle = angleOf(viewport, item.transform);
      const [x, y] = rotated(viewport.convertToViewportPoint(item.transform[4], item.transform[5]), angle);
      const size = Math.hypot(item.transform[2], item.transform[3]);
      if (!Number.isFinite(x + y + size + item.width)) return;
      const place = { x, right: x + item.width, y, size, order, tag: tags.at(-1) };
      const key = Math.round((angle / Math.PI) * 36);
      const group = groups.get(key) ?? [];
      groups.set(key, group);
      group.push({ text: turned(item.str.trim(), item.dir === "rtl"), ...place });
    }
  });
  for (const group of groups.values()) levelSmall(group);
  if ([...groups.values()].some(hasNarrowGap)) {
    const cells = cellsOf(await page.getStructTree());
    for (const group of groups.values()) for (const piece of group) Object.assign(piece, cells.get(piece.tag));
  }
  addAnnotations(groups.get(0) ?? [], await page.getAnnotations(), viewport);
  return [...groups.values()].sort((one, other) => other.length - one.length);
}

function angleOf(viewport: PageViewport, [a, b]: number[]): number {
  const [x = 0, y = 0] = viewport.convertToViewportPoint(0, 0);
  const [right = 0, bottom = 0] = viewport.convertToViewportPoint(a ?? 0, b ?? 0);
  return Math.atan2(bottom - y, right - x);
}

function rotated([x = 0, y = 0]: number[], angle: number): [x: number, y: number] {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [x * cos + y * sin, y * cos - x * sin];
}

/** Moves superscripts and subscripts to the baseline of the piece that was drawn before or after them. */
function levelSmall(pieces: readonly Piece[]): void {
  pieces.forEach((piece, index) => {
    for (const main of [pieces[index - 1], pieces[index + 1]]) {
      if (!main || piece.size > main.size * 0.9 || Math.abs(piece.y - main.y) > main.size * 0.6) continue;
      if (Math.max(piece.x - main.right, main.x - piece.right) < main.size * 0.3) piece.y = main.y;
    }
  });
}

/** Whether texts stand so close that only the outline can tell whether they are cells. */
const hasNarrowGap = (pieces: readonly Piece[]) =>
  pieces
    .toSorted((one, other) => one.y - other.y || one.x - other.x)
    .some((piece, index, sorted) => {
      const last = sorted[index - 1];
      if (!last?.tag || !piece.tag || last.tag === piece.tag || last.y !== piece.y) return false;
      const gap = (piece.x - last.right) / piece.size;
      return gap > 0 && gap < wide;
    });

/** The library sets `hidden` for fields only. */
const hiddenFlag = 2;
type Annotations = Awaited<ReturnType<PDFPageProxy["getAnnotations"]>>;

/** Puts the text of each annotation on the baseline of the first text beside it. Fields of a form are annotations too. */
function addAnnotations(pieces: Piece[], annotations: Annotations, viewport: PageViewport): void {
  const baselines = Float64Array.from(pieces, ({ y }) => y).sort();
  const placed = annotations.map((annotation) => {
    const [x1 = 0, y1 = 0] = viewport.convertToViewportPoint(annotation.rect[0], annotation.rect[1]);
    const [x2 = 0, y2 = 0] = viewport.convertToViewportPoint(annotation.rect[2], annotation.rect[3]);
    const [right, top, bottom] = [Math.max(x1, x2), Math.min(y1, y2), Math.max(y1, y2)];
    const text = annotation.hidden || annotation.annotationFlags & hiddenFlag ? "" : shownText(annotation);
    // A comment stands behind the text that it marks.
    const x = text.startsWith(" [") ? right : Math.min(x1, x2);
    return { text: turned(text, readsLeftward(text)), x, right, top, bottom, size: Math.min(12, bottom - top) };
  });
  let at = 0;
  for (const { top, bottom, ...field } of placed.sort((one, other) => one.top - other.top)) {
    while ((baselines[at] ?? bottom) < top + field.size / 3) at++;
    const y = Math.min(baselines[at] ?? bottom, bottom);
    if (field.text !== "" && Number.isFinite(field.x + field.right + y)) pieces.push({ ...field, y });
  }
}

const textless = new Set(["Link", "Popup", "Widget"]);

/** The value of a field, a text that was put on the page, or a comment in brackets. */
function shownText(annotation: Annotations[number]): string {
  const { subtype, fieldType, fieldValue, exportValue, buttonValue, options = [] } = annotation;
  if (annotation.checkBox || annotation.radioButton) return fieldValue === (exportValue ?? buttonValue) ? "[x]" : "[ ]";
  if ((fieldType === "Tx" || fieldType === "Ch") && !annotation.password) {
    const shown = new Map(options.map((option: Record<string, string>) => [option.exportValue, option.displayValue]));
    return oneLine(
      [fieldValue ?? ""]
        .flat()
        .map((value) => String(shown.get(value) ?? value))
        .join(", "),
    );
  }
  const [text, author] = [annotation.contentsObj, annotation.titleObj].map((each) => oneLine(each?.str ?? ""));
  if (!text || textless.has(subtype)) return "";
  return subtype === "FreeText" ? text : ` [${author && `${author}: `}${text}] `;
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** A row of a table and a cell in it, as the outline for screen readers in the PDF says. */
export interface Place {
  line: number | undefined;
  cell: number | undefined;
}

type Outline = Awaited<ReturnType<PDFPageProxy["getStructTree"]>> | null;
type Part = NonNullable<Outline>;
type Child = Part["children"][number];

const isPart = (child: Child): child is Part => "children" in child;
const isPlain = ({ role }: Part) => role === "NonStruct";

const partsOf = ({ children }: Part) => children.filter(isPart);

/** Whether the parts are rows of a table without names for them: each has the same number of blocks. */
function areRows(parts: readonly Part[]): boolean {
  const rows = parts.map(partsOf);
  const count = rows[0]?.length ?? 0;
  const isRow = (row: readonly Part[]) =>
    row.length === count && row.every((block) => isPlain(block) && block.children.every(isPart));
  return rows.length > 1 && count > 1 && parts.every(isPlain) && rows.every(isRow);
}

/** The place of each part of the outline that is in a table. */
function cellsOf(outline: Outline): Map<string | undefined, Place> {
  const cells = new Map<string | undefined, Place>();
  let count = 0;
  const visit = (node: Part, isRow: boolean, isCell: boolean, place: Place): void => {
    const line = isRow ? count++ : place.line;
    const cell = isCell ? count++ : place.cell;
    const haveRows = areRows(partsOf(node));
    for (const child of node.children) {
      if (isPart(child)) visit(child, haveRows || child.role === "TR", isRow, { line, cell });
      else if (cell !== undefined) cells.set(child.id, { line, cell });
    }
  };
  if (outline) visit(outline, false, false, { line: undefined, cell: undefined });
  return cells;
}
