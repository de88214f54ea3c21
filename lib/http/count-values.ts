// Looks at a JSON text itself. Its values are counted before it is parsed: a parsed value takes far more time and
// memory than its bytes. If an object has a field twice, parsing drops one of the two. The count shows that too.

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const opens = (code: number) => code === 0x5b || code === 0x7b;
const closes = (code: number) => code === 0x5d || code === 0x7d;
const isSpace = (code: number) => code === 0x20 || (code >= 0x09 && code <= 0x0d);

/** The number of values in JSON, or the first number above `max`. In other text, at least the values before its error. */
export function countValues(text: string, max: number): number {
  let values = 1;
  let before = 0;
  for (let at = 0; at < text.length && values <= max; at++) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) continue;
    if (code === comma || opens(code)) values += 1;
    // It is empty: no value follows the bracket that opened it.
    else if (closes(code) && opens(before)) values -= 1;
    else if (code === quote) at = endOfString(text, at);
    before = code;
  }
  return values;
}

/** The place of the quote that ends a string, or the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

/** Whether JavaScript makes 0 of a number that is not 0, such as 1e-400. `source`: the number as JSON. */
export const becomesZero = (value: unknown, source: string): boolean => value === 0 && /^[^e]*[1-9]/i.test(source);

/** An object or a list that has begun, and the name or the index in it. */
interface Begun {
  names?: Set<string>;
  at: string | number;
}

/** The path of the first field in valid JSON that its object has twice. */
export function doubledField(text: string): string[] | undefined {
  const begun: Begun[] = [];
  let name = "";
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const inner = begun.at(-1);
    if (opens(code)) begun.push(code === 0x5b ? { at: 0 } : { names: new Set(), at: "" });
    else if (closes(code)) begun.pop();
    else if (code === comma && typeof inner?.at === "number") inner.at += 1;
    else if (code === colon && inner?.names) {
      inner.at = JSON.parse(name) as string;
      if (inner.names.has(inner.at)) return begun.map((each) => String(each.at));
      inner.names.add(inner.at);
    } else if (code === quote) {
      const end = endOfString(text, at);
      name = text.slice(at, end + 1);
      at = end;
    }
  }
  return undefined;
}
