// The values of attributes of elements and marks. XML has only text, and editors expect numbers and booleans: a heading
// with the level "2" would be one of level 1.

/** Their values are always text. */
const textual = new Set(["href", "src", "id", "title", "alt", "class", "style", "language"]);

export type AttributeValue = string | number | boolean;

/** The value of an attribute in XML: `true`, `false` and whole numbers in their usual form are no text. */
export function typedValue(name: string, text: string): AttributeValue {
  if (textual.has(name)) return text;
  if (text === "true" || text === "false") return text === "true";
  const number = Number(text);
  return Number.isSafeInteger(number) && String(number) === text ? number : text;
}

/** The text in XML; undefined for an attribute that has no value. */
export function attributeText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
