// Texts for times, numbers and codes.

/** Seconds since 1970 and ISO 8601, as the API has both. */
export type Moment = string | number;

const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

const dateOf = (moment: Moment) => new Date(typeof moment === "number" ? moment * 1_000 : moment);

/** With milliseconds, in UTC. */
export const isoText = (moment: Moment): string => {
  const date = dateOf(moment);
  return Number.isNaN(date.getTime()) ? String(moment) : date.toISOString();
};

export function timeText(moment: Moment): string {
  const date = dateOf(moment);
  return Number.isNaN(date.getTime()) ? String(moment) : absolute.format(date);
}

const whole = new Intl.NumberFormat("en");
export const count = (value: number): string => whole.format(value);

/** `plural(2, "comment")` is "2 comments". */
export const plural = (value: number, noun: string, nouns = `${noun}s`): string =>
  `${count(value)} ${value === 1 ? noun : nouns}`;

/** `comment_annotation.status_change` is "Comment annotation status change". */
export function inWords(code: string): string {
  const words = code
    .replace(/[._-]+/g, " ")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const accessTexts: Record<string, string> = {
  public: "Everyone may read",
  organizationPrivate: "The organization's members",
  restricted: "Only with a grant on it or above it",
};

/** Who can see a document or folder. Undefined: the usual access type, unless a folder above says otherwise. */
export const accessText = (accessType = "organizationPrivate"): string =>
  Object.hasOwn(accessTexts, accessType) ? (accessTexts[accessType] as string) : inWords(accessType);
