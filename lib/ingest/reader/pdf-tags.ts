import type { PDFPageProxy } from "unpdf/pdfjs";

/** A row of a table and a cell in it, as the outline for screen readers in the PDF says. */
export interface Place {
  line: number | undefined;
  cell: number | undefined;
}

type Outline = Awaited<ReturnType<PDFPageProxy["getStructTree"]>> | null;

/** The place of each part of the outline that is in a table. */
export function cellsOf(outline: Outline): Map<string | undefined, Place> {
  const cells = new Map<string | undefined, Place>();
  let count = 0;
  const visit = (node: NonNullable<Outline>, place: Place): void => {
    const line = node.role === "TR" ? count++ : place.line;
    const cell = node.role === "TD" || node.role === "TH" ? count++ : place.cell;
    for (const child of node.children) {
      if ("children" in child) visit(child, { line, cell });
      else if (cell !== undefined) cells.set(child.id, { line, cell });
    }
  };
  if (outline) visit(outline, { line: undefined, cell: undefined });
  return cells;
}
