// Writes workbooks by hand, so that each can be invalid in exactly one way.
import { type ZipEntry, zip } from "./zip.ts";

const header = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packaged = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"';

export interface WorkbookParts {
  /** The XML of each sheet's rows. */
  sheets?: string[];
  /** The XML of the shared strings' entries. */
  strings?: string;
  /** The XML in the styles. */
  styles?: string;
  /** The XML of each sheet's columns and merged cells. */
  columns?: string;
  merges?: string;
  /** The XML at the end of each sheet. */
  margins?: string;
  /** Before the root element of the first sheet. */
  prolog?: string;
  workbookRels?: string;
  more?: ZipEntry[];
}

export const inlineCell = (text: string, ref = "") =>
  `<c${ref && ` r="${ref}"`} t="inlineStr"><is><t>${text}</t></is></c>`;
export const rowOf = (...cells: string[]) => `<row>${cells.map((text) => inlineCell(text)).join("")}</row>`;

export function workbookEntries({
  sheets = [""],
  strings,
  styles,
  columns = "",
  merges = "",
  margins = "",
  prolog = "",
  workbookRels,
  more = [],
}: WorkbookParts): ZipEntry[] {
  const numbers = sheets.map((_, index) => index + 1);
  const rels = numbers
    .map((n) => `<Relationship Id="rId${n}" Type="${office}/worksheet" Target="worksheets/sheet${n}.xml"/>`)
    .join("");
  const stylesRel = `<Relationship Id="rIdT" Type="${office}/styles" Target="styles.xml"/>`;
  const stringsRel = `<Relationship Id="rIdS" Type="${office}/sharedStrings" Target="sharedStrings.xml"/>`;
  return [
    {
      name: "[Content_Types].xml",
      content: `${header}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
    },
    {
      name: "_rels/.rels",
      content: `${header}<Relationships ${packaged}><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: "xl/workbook.xml",
      content: `${header}<workbook ${main} xmlns:r="${office}"><sheets>${numbers.map((n) => `<sheet name="Sheet${n}" sheetId="${n}" r:id="rId${n}"/>`).join("")}</sheets></workbook>`,
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      content: `${header}<Relationships ${packaged}>${workbookRels ?? rels}${strings === undefined ? "" : stringsRel}${styles === undefined ? "" : stylesRel}</Relationships>`,
    },
    ...sheets.map((rows, index) => ({
      name: `xl/worksheets/sheet${index + 1}.xml`,
      content: `${header}${index === 0 ? prolog : ""}<worksheet ${main}><cols>${columns}</cols><sheetData>${rows}</sheetData><mergeCells>${merges}</mergeCells>${margins}</worksheet>`,
    })),
    ...(styles === undefined
      ? []
      : [{ name: "xl/styles.xml", content: `${header}<styleSheet ${main}>${styles}</styleSheet>` }]),
    ...(strings === undefined
      ? []
      : [{ name: "xl/sharedStrings.xml", content: `${header}<sst ${main}>${strings}</sst>` }]),
    ...more,
  ];
}

export const workbook = (parts: WorkbookParts) => zip(workbookEntries(parts));

/** The relations of a part to others, by their types. */
export const relationsTo = (parts: readonly (readonly [type: string, target: string])[]) =>
  `${header}<Relationships ${packaged}>${parts
    .map(([type, target], at) => `<Relationship Id="rIdN${at}" Type="${office}/${type}" Target="${target}"/>`)
    .join("")}</Relationships>`;

/** A Word document with this XML in its body, and further parts with the XML of their root. */
export const wordDocument = (body: string, parts: readonly (readonly [type: string, content: string])[] = []) =>
  zip([
    { name: "_rels/.rels", content: relationsTo([["officeDocument", "word/document.xml"]]) },
    {
      name: "word/_rels/document.xml.rels",
      content: relationsTo(parts.map(([type], at) => [type, `part${at}.xml`])),
    },
    ...parts.map(([, content], at) => ({ name: `word/part${at}.xml`, content: `${header}<root>${content}</root>` })),
    { name: "word/document.xml", content: `${header}<document><body>${body}</body></document>` },
  ]);
