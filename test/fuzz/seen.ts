// The ids that the service has made, which further requests can name.
export interface Seen {
  /** The name of the field that has shown it. */
  field: string;
  id: string;
}

const made = /"(\w*[iI]d)":"([0-9a-f]{8}-[0-9a-f-]{27}|(?!ws_)[a-z]+_\w{16,40})"/g;
/** Of ids in one reply, and of all that are remembered. */
const [inReplyMax, rememberedMax] = [3, 60];

/** Adds the first ids in a reply, and forgets the oldest. */
export function remember(seen: Seen[], reply: unknown): void {
  const found = [...(JSON.stringify(reply) ?? "").matchAll(made)].slice(0, inReplyMax);
  seen.push(...found.map(([, field, id]) => ({ field, id }) as Seen));
  seen.splice(0, seen.length - rememberedMax);
}
