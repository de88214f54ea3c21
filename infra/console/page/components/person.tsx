import { address } from "../places.ts";
import type { PersonShown } from "../types.ts";

const hues = 12;

/** Two letters, with a colour that stays with the id. */
export function Avatar({ userId, name }: PersonShown) {
  const words = (name || userId).trim().split(/\s+/);
  const letters = words.slice(0, 2).map((word) => [...word][0] ?? "");
  let sum = 0;
  for (const letter of userId) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973;
  return (
    <span class={`avatar hue${sum % hues}`} aria-hidden="true">
      {letters.join("").toUpperCase()}
    </span>
  );
}

/** A person with a link to all about them in the organization. */
export function Person({ person, organizationId }: { person: PersonShown; organizationId?: string | undefined }) {
  const { userId, name } = person;
  const shown = (
    <>
      <Avatar {...person} />
      <span class="clip">{name || userId}</span>
    </>
  );
  if (organizationId === undefined) return <span class="person">{shown}</span>;
  return (
    <a class="person" href={address("/console/people", { org: organizationId, user: userId })} title={userId}>
      {shown}
    </a>
  );
}
