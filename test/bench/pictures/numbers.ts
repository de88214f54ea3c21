// Numbers as the pictures show them.

/** With three significant digits below a thousand, and with separators from there on. */
export function shown(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}

/** A ratio between two measurements of one run. */
export const times = (value: number, base: number) => `${(value / base).toFixed(2)}\u00a0×`;

/** `one, two and three`. */
export const listOf = new Intl.ListFormat("en-GB");
