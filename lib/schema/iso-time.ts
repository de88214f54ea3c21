/**
 * Whether a text that begins like an ISO 8601 time is one, with a date that exists. `Date.parse` takes 30 February for
 * 2 March.
 */
export function isIsoTime(text: string): boolean {
  const dayOfMonth = Number(text.slice(8, 10) || 1);
  return !Number.isNaN(Date.parse(text)) && new Date(text.slice(0, 10)).getUTCDate() === dayOfMonth;
}
