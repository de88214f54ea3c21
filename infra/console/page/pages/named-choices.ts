// A choice among people or documents: the reader sees and types names, and the address has ids.

export interface Named {
  id: string;
  name: string | undefined;
}

/** As names are compared. */
const plain = (text: string) => text.trim().toLowerCase();
/** What has no name is known by its id. */
const shown = ({ id, name }: Named) => name?.trim() || id;

/** By id, the text that stands for it: the name, with the id if the same text means something else too. */
export function textsOf(choices: readonly Named[]): Map<string, string> {
  const meant = new Map<string, Set<string>>();
  for (const each of choices)
    for (const text of [plain(shown(each)), plain(each.id)]) {
      meant.set(text, (meant.get(text) ?? new Set()).add(each.id));
    }
  return new Map(
    choices.map((each) => {
      const text = shown(each);
      const isAmbiguous = text !== each.id && (meant.get(plain(text))?.size ?? 0) > 1;
      return [each.id, isAmbiguous ? `${text} (${each.id})` : text];
    }),
  );
}

/** The ids of all that a text can mean: an id, the text of a choice, or a name in any case. */
export function idsOf(choices: readonly Named[], text: string): string[] {
  const texts = textsOf(choices);
  const exact = [text, text.trim()].find((each) => texts.has(each));
  if (exact !== undefined) return [exact];
  const wanted = plain(text);
  const isMeant = (each: Named) => [shown(each), texts.get(each.id) ?? ""].some((own) => plain(own) === wanted);
  return choices.filter(isMeant).map(({ id }) => id);
}

/** What the reader means by a text. Undefined: nothing has this name, or several have it. */
export function idOf(choices: readonly Named[], text: string): string | undefined {
  const [id, ...others] = idsOf(choices, text);
  return others.length === 0 ? id : undefined;
}

/** Why nothing is found for a filter. Undefined: it is one of the choices. The lists of choices end at `max`. */
export function unknownText(noun: string, value: string, choices: readonly Named[], max: number): string | undefined {
  if (choices.length === 0) return undefined;
  const ids = idsOf(choices, value);
  if (ids.length === 1) return undefined;
  if (ids.length > 1) return `Several ${noun}s have the name “${value}”: choose one.`;
  const none =
    choices.length < max
      ? `There is no ${noun} with the name or id “${value}”.`
      : `None of the first ${max} ${noun}s has the name or id “${value}”.`;
  const near = nearTo(choices, value);
  return near.length > 0 ? `${none} Did you mean ${near.join(" or ")}?` : none;
}

/** More would be a list to read. */
const nearMax = 3;

/** The texts of the choices with a word that begins as the reader's text does. */
function nearTo(choices: readonly Named[], text: string): string[] {
  const wanted = ` ${plain(text)}`;
  const texts = textsOf(choices);
  const near = choices.filter((each) => ` ${plain(shown(each))}`.includes(wanted));
  return near.slice(0, nearMax).flatMap(({ id }) => texts.get(id) ?? []);
}
