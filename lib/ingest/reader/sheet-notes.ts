import type { OfficeFile } from "./office.ts";

/** The notes of a sheet by the names of their cells. A thread of comments also has an old form, which it replaces. */
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
