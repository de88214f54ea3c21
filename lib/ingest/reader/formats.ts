import { format, getFormatFromId, isDateFormat, isValidFormat } from "numfmt";
import type { OfficeFile } from "./office.ts";

/** Excel's limit. Longer ones are not read. */
const codeCharacters = 255;
/** From a date of a workbook that counts days from 1904 to one that counts from 1900. */
const daysTo1904 = 1_462;
const general = "General";

/** Shows a value in the number format of a cell's style. `stored`: how the file writes it. */
export type Show = (style: number, value: number | string | Date, stored: string) => string;

/** The number formats of a workbook. */
export function formatsOf(file: OfficeFile, path: string | undefined, is1904: boolean): Show {
  const codes = new Map<number, string>();
  const styles: number[] = [];
  let section = "";
  file.read(path, {
    open: (element, { numFmtId, formatCode = general }) => {
      if (element === "numFmts" || element === "cellXfs") section = element;
      else if (element === "numFmt" && section === "numFmts") codes.set(Number(numFmtId), formatCode);
      else if (element === "xf" && section === "cellXfs") styles.push(Number(numFmtId ?? 0));
    },
    close: (element) => {
      if (element === section) section = "";
    },
  });
  const checked = new Map<number, string>();
  const codeOf = (style: number) => {
    const id = styles[style] ?? 0;
    const code = checked.get(id) ?? checkedCode(codes.get(id) ?? getFormatFromId(id));
    checked.set(id, code);
    return code;
  };
  return (style, value, stored) => {
    const code = codeOf(style);
    if (typeof value === "string") return code === general || code === "@" ? value : format(code, value);
    if (typeof value !== "number") {
      if (Number.isNaN(value.getTime())) return stored;
      const shown = format(isDateFormat(code) ? code : "yyyy-mm-dd hh:mm", value, { ignoreTimezone: true });
      return isDateFormat(code) ? shown : shown.replace(" 00:00", "");
    }
    // Excel shortens long numbers. Other programs show all digits, and they can be the number of an article.
    if (code === general || code === "0") {
      if (/^-?[1-9]\d*$/.test(stored)) return stored;
      if (Number.isInteger(value) && Math.abs(value) < 1e21) return String(value);
    }
    const isMoved = is1904 && isDateFormat(code) && !/\[[hms]+\]/i.test(code);
    return format(code, isMoved ? value + daysTo1904 : value);
  };
}

/** A code that the library can use. The region of a currency changes neither points nor commas. */
function checkedCode(code: string): string {
  if (code.length > codeCharacters || !isValidFormat(code) || /^general$/i.test(code)) return general;
  return isDateFormat(code) ? code : code.replace(/\[\$([^\]"-]*)-[^\]]*\]/g, '"$1"');
}
