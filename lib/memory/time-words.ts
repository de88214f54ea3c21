// Spans of time in the words of a question. A span is generous: "last week" begins on Monday of the previous week, and
// ends now, since many people mean the last seven days.

/** ms since the epoch; `end` is exclusive. */
export interface Span {
  start: number;
  end: number;
}

const dayMs = 24 * 3_600_000;
const monthNames = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];
/** Only after such a word is "may" a month. */
const monthPattern = new RegExp(
  `\\b(?:in|since|during|of|from|last|this|early|late)\\s+(${monthNames.join("|")})\\b(?:\\s+(20\\d\\d))?`,
  "i",
);
const countPattern = /\b(?:last|past|previous)\s+(\d{1,3})\s+(day|week|month|year)s?\b/i;
const unitPattern = /\b(last|past|previous|this|current)\s+(week|month|quarter|year)\b/i;
const monthsOf: Record<string, number> = { month: 1, quarter: 3, year: 12 };

/** The span that a question names, in UTC; undefined if it names none. */
export function spanNamed(question: string, now: number): Span | undefined {
  const open = (start: number): Span => ({ start, end: Number.POSITIVE_INFINITY });
  const today = Math.floor(now / dayMs) * dayMs;
  if (/\btoday\b/i.test(question)) return open(today);
  if (/\byesterday\b/i.test(question)) return { start: today - dayMs, end: today };
  const [, count, countUnit = ""] = question.toLowerCase().match(countPattern) ?? [];
  if (count !== undefined) return open(before(today, Number(count), countUnit));
  const [, which, unit = ""] = question.toLowerCase().match(unitPattern) ?? [];
  if (which !== undefined) return open(startOf(today, unit, which === "this" || which === "current" ? 0 : 1));
  return monthNamed(question, now);
}

function monthNamed(question: string, now: number): Span | undefined {
  const [text, name = "", year] = question.match(monthPattern) ?? [];
  if (text === undefined) return undefined;
  const month = monthNames.indexOf(name.toLowerCase());
  const today = new Date(now);
  const latest = today.getUTCFullYear() - (month > today.getUTCMonth() ? 1 : 0);
  const from = Date.UTC(year === undefined ? latest : Number(year), month, 1);
  const isOpen = /^since/i.test(text);
  return { start: from, end: isOpen ? Number.POSITIVE_INFINITY : startOf(from, "month", -1) };
}

/** The time that many units before `today`. */
function before(today: number, count: number, unit: string): number {
  const months = monthsOf[unit];
  if (months === undefined) return today - count * (unit === "week" ? 7 : 1) * dayMs;
  const at = new Date(today);
  return at.setUTCMonth(at.getUTCMonth() - count * months);
}

/** The start of the week, month, quarter or year that many units before that of `at`. Weeks begin on Monday. */
function startOf(at: number, unit: string, back: number): number {
  const date = new Date(at);
  if (unit === "week") return at - (((date.getUTCDay() + 6) % 7) + 7 * back) * dayMs;
  const months = monthsOf[unit] ?? 1;
  const month = Math.floor(date.getUTCMonth() / months) * months;
  return Date.UTC(date.getUTCFullYear(), month - back * months, 1);
}
