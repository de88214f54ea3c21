// Names and values of Yjs in XML (DECISIONS.md#crdt-xml). Each has one form, and reading that form returns the same.
import { invalidField } from "../errors.ts";
import { becomesZero, doubledField } from "../http/count-values.ts";
import { isFlat } from "./update-fields.ts";
import { forbidden, hexOf, type XmlElement } from "./xml.ts";

/**
 * The marks of ProseMirror's and Tiptap's schemas. Of two marks on the same pieces of text, the earlier one of this
 * list is outside.
 */
export const markNames = [
  ...["link", "textStyle", "highlight", "bold", "strong", "italic", "em", "underline", "strike"],
  ...["subscript", "superscript", "code"],
];
const knownMarks = new Set(markNames);

/** Names that stand for themselves. Each reader of XML knows these characters, and none of these names has a prefix. */
const isPlain = (name: string) => /^(?!(?:mark|node|char|json)\.)[A-Za-z_][\w.-]*$/.test(name);

/** The name behind a prefix. A character that is not plain is `_xHHHH_`, as in SQL/XML. */
const behind = (prefix: string, name: string) =>
  prefix + name.replace(/_(?=x)|[^\w.-]/g, (unit) => `_x${hexOf(unit)}_`);

/** The name of which this is the form; undefined if the form has another prefix. */
function nameBehind(prefix: string, form: string): string | undefined {
  if (!form.startsWith(prefix)) return undefined;
  const units = /_x([\dA-F]{4})_/g;
  return form.slice(prefix.length).replace(units, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

export const elementForm = (name: string): string =>
  isPlain(name) && !knownMarks.has(name) ? name : behind("node.", name);
export const elementName = (form: string): string => nameBehind("node.", form) ?? form;

export const markForm = (name: string): string => (knownMarks.has(name) ? name : behind("mark.", name));
/** Undefined for an element that is no mark. */
export const markName = (form: string): string | undefined => (knownMarks.has(form) ? form : nameBehind("mark.", form));

type Attribute = XmlElement["attributes"][number];

/** The attribute that has the whole value of a mark whose value is no object. The mark then has no other attribute. */
const whole = "json";

export function attributeForm(name: string, value: unknown): Attribute {
  if (isPlain(name) && name !== whole && typeof value !== "object") {
    const text = String(value);
    if (typedValue(name, text) === value && text.search(forbidden) < 0) return [name, text];
  }
  return [behind("json.", name), jsonForm(value)];
}

/** Throws INVALID_ARGUMENT if two attributes have the same name, or a value is not the JSON that it must be. */
export function attributeValues(attributes: readonly Attribute[]): [name: string, value: unknown][] {
  const values = attributes.map(([form, text]): [string, unknown] => {
    const name = nameBehind("json.", form);
    return name === undefined ? [form, typedValue(form, text)] : [name, jsonValue(text)];
  });
  if (new Set(values.map(([name]) => name)).size === values.length) return values;
  throw invalidField(["data"], "Has an element with two attributes of the same name, one of them behind `json.`.");
}

export function markAttributes(value: unknown): Attribute[] {
  if (typeof value !== "object" || Array.isArray(value)) return [[whole, jsonForm(value)]];
  return Object.entries(value as object).map(([name, each]) => attributeForm(name, each));
}

export function markValue(attributes: readonly Attribute[]): unknown {
  const [first] = attributes;
  if (attributes.length === 1 && first?.[0] === whole) return jsonValue(first[1]);
  return Object.fromEntries(attributeValues(attributes));
}

const jsonForm = (value: unknown) => JSON.stringify(value).replace(forbidden, (unit) => `\\u${hexOf(unit)}`);

function jsonValue(text: string): unknown {
  let value: unknown;
  try {
    // The checks are slow. So they look at values only that can have what they refuse.
    value = JSON.parse(text, /\d{16}|\de/i.test(text) ? exact : undefined);
    if (text.includes("{") && doubledField(text)) throw new Error("doubled");
  } catch {
    throw invalidField(["data"], notExact);
  }
  if (isFlat(value)) return value;
  throw invalidField(["data"], "Has an attribute whose JSON is nested more than 64 levels deep.");
}

const notExact =
  "Has an attribute of the form `json.name` whose value is not JSON, or would be stored as another one: a large or tiny " +
  "number, a field that is there twice.";

/** Refuses what would be stored as another value. A large number must be in its usual form. */
function exact(_: string, value: unknown, { source = "" }: { source?: string } = {}): unknown {
  const isLarge = typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER && String(value) !== source;
  if (isLarge || becomesZero(value, source)) throw new Error("inexact");
  return value;
}

/** Attributes whose values are always text. */
const textual = new Set(["href", "src", "id", "title", "alt", "class", "style", "language"]);

/** The value of a plain attribute: `true`, `false` and whole numbers in their usual form are no text. */
function typedValue(name: string, text: string): string | number | boolean {
  if (textual.has(name)) return text;
  if (text === "true" || text === "false") return text === "true";
  const number = Number(text);
  return Number.isSafeInteger(number) && String(number) === text ? number : text;
}
