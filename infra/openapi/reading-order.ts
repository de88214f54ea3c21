// The order in which the reference and the README show groups and endpoints.
import type { Endpoint } from "../../lib/http/endpoint.ts";
import { folderOf } from "../deployables.ts";
import { sections } from "./groups.ts";

export interface ShownGroup {
  /** The folder of `functions/`. */
  name: string;
  /** The tag: the name in words. */
  title: string;
  about: string;
  endpoints: Endpoint[];
}

/**
 * What the endpoints of a group do, by the end of their paths: its configuration first, then what adds, reads, changes
 * and deletes. An item is added before its parts.
 */
const steps: readonly { path: RegExp; rank: number }[] = [
  { path: /\wconfig\/(?:get|update)$/, rank: 0 },
  { path: /\/data\/add$/, rank: 1 },
  { path: /\/(?:add|create|extract|generate_token|open|test)$/, rank: 2 },
  { path: /\/(?:set|update|read|retry|rotate|migrate|unsubscribe)$/, rank: 4 },
  { path: /\/status$/, rank: 5 },
  { path: /\/(?:remove|revoke|delete|close)$/, rank: 6 },
];
const rankOfReads = 3;

/** The sections with the groups that have endpoints. */
export function inReadingOrder(endpoints: readonly Endpoint[]): { name: string; groups: ShownGroup[] }[] {
  const sorted = endpoints.toSorted(
    (one, other) => rankOf(one) - rankOf(other) || (unversioned(one) < unversioned(other) ? -1 : 1),
  );
  return Object.entries(sections).map(([section, groups]) => {
    const shown = Object.entries<string>(groups).map(([name, about]) => ({
      name,
      title: titleOf(name),
      about,
      endpoints: sorted.filter((endpoint) => folderOf(endpoint) === name),
    }));
    return { name: section, groups: shown.filter((group) => group.endpoints.length > 0) };
  });
}

const titleOf = (group: string) => `${group.slice(0, 1).toUpperCase()}${group.slice(1).replaceAll("-", " ")}`;

const unversioned = ({ path }: Endpoint) => path.replace(/^\/v\d/, "").replace(/\/\{\w+\}/g, "");

const rankOf = (endpoint: Endpoint) => steps.find(({ path }) => path.test(unversioned(endpoint)))?.rank ?? rankOfReads;
