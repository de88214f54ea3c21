// Texts for times, numbers and names.
import { store, useStore } from "./store.ts";

/** Seconds since 1970 and ISO 8601, as the API has both. */
export type Moment = string | number;

export const dateOf = (moment: Moment): Date => new Date(typeof moment === "number" ? moment * 1_000 : moment);

const absolute = new Intl.DateTimeFormat(undefined, {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "short",
});
export const exactTime = (moment: Moment): string => {
  const date = dateOf(moment);
  return Number.isNaN(date.getTime()) ? String(moment) : absolute.format(date);
};

const clockText = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
/** "12:03" */
export const clockTime = (moment: Moment): string => clockText.format(dateOf(moment));

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const steps = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** How often the times of the page move. */
export const clockMs = 15_000;

export function relativeTime(moment: Moment, now: number): string {
  const seconds = (dateOf(moment).getTime() - now) / 1_000;
  if (Number.isNaN(seconds)) return String(moment);
  // The clock of the page moves every 15 seconds, so what has just happened can seem to be ahead of it.
  if (Math.abs(seconds) < 45) return seconds > clockMs / 1_000 ? "in a moment" : "just now";
  const [unit, size] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? ["minute", 60];
  return relative.format(Math.round(seconds / size), unit);
}

const clock = store(Date.now());
/** Lets the times of the page move. */
export const startClock = () => setInterval(() => clock.set(Date.now()), clockMs);
/** The time in milliseconds. It moves every 15 seconds. */
export const useNow = (): number => useStore(clock);

const whole = new Intl.NumberFormat("en");
export const count = (value: number): string => whole.format(value);

/** `plural(2, "comment")` is "2 comments". */
export const plural = (value: number, noun: string, nouns = `${noun}s`): string =>
  `${count(value)} ${value === 1 ? noun : nouns}`;

export const milliseconds = (value: number): string =>
  value >= 10_000 ? `${(value / 1_000).toFixed(1)} s` : `${count(Math.round(value))} ms`;

const pastOf: Record<string, string> = {
  add: "added",
  assign: "assigned",
  data_delete: "data deleted",
  delete: "deleted",
  priority_change: "priority changed",
  status_change: "state changed",
  update: "changed",
};

/** Events whose words in their order would be no sentence. */
const wholeTexts: Record<string, string> = {
  "usergroup.user_add": "User added to a group",
  "usergroup.user_delete": "User removed from a group",
};

/** `comment.add` is "Comment added". */
export function eventText(eventType: string): string {
  const whole = Object.hasOwn(wholeTexts, eventType) ? wholeTexts[eventType] : undefined;
  if (whole !== undefined) return whole;
  const [noun = "", ...action] = eventType.split(".");
  const code = action.join(".");
  const past = Object.hasOwn(pastOf, code) ? pastOf[code] : inWords(code).toLowerCase();
  return `${inWords(noun).replace("annotation", "thread").replace("Crdt", "Editor content").replace("Usergroup", "Group")} ${past}`.trim();
}

const accessTexts: Record<string, string> = {
  public: "Everyone may read",
  organizationPrivate: "The organization's members",
  restricted: "Only with a grant on it or above it",
};

/** Who can see a document or folder. Undefined: the usual access type, unless a folder above says otherwise. */
export const accessText = (accessType = "organizationPrivate"): string =>
  Object.hasOwn(accessTexts, accessType) ? (accessTexts[accessType] as string) : inWords(accessType);

/** `comment_annotation.status_change` is "Comment annotation status change". */
export function inWords(code: string): string {
  const words = code
    .replace(/[._-]+/g, " ")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
