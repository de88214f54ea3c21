// What Ctrl K offers.

export interface Command {
  title: string;
  about: string;
  /** Its address. Undefined: it is no page. */
  path: string | undefined;
  /** Further text that finds it, such as an id. */
  words?: string;
}

const shownMax = 50;

/** Which command it is, wherever it stands. */
export const keyOf = ({ path, title }: Command): string => path ?? title;

/** Where the chosen one stands among those that are found now: lists can still arrive. Otherwise the first one. */
export const placeOf = (found: readonly Command[], chosen: string | undefined): number =>
  Math.max(
    found.findIndex((each) => keyOf(each) === chosen),
    0,
  );

/** Those that have the text, and first those whose title begins with it. */
export function matching(commands: readonly Command[], text: string): Command[] {
  const wanted = text.trim().toLowerCase();
  const texts = ({ title, about, words = "" }: Command) => `${title} ${about} ${words}`.toLowerCase();
  const rank = ({ title }: Command) => Number(!title.toLowerCase().startsWith(wanted));
  return commands
    .filter((each) => texts(each).includes(wanted))
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, shownMax);
}
