// A choice among people or documents: the reader sees and types names, and the address has ids.

export interface Named {
  id: string;
  name: string | undefined;
}

/** By id, the text that stands for it: the name, with the id if others have the same name. */
export function textsOf(choices: readonly Named[]): Map<string, string> {
  const times = new Map<string, number>();
  for (const { name } of choices) if (name) times.set(name, (times.get(name) ?? 0) + 1);
  return new Map(
    choices.map(({ id, name }) => [id, !name ? id : (times.get(name) ?? 0) > 1 ? `${name} (${id})` : name]),
  );
}

/** What the reader means by a text: a name, or an id. Undefined: neither is known. */
export function idOf(texts: ReadonlyMap<string, string>, text: string): string | undefined {
  const wanted = text.trim().toLowerCase();
  if (texts.has(text.trim())) return text.trim();
  return [...texts].find(([, each]) => each.toLowerCase() === wanted)?.[0];
}
