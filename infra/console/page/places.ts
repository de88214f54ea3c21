// The pages of the console, and their addresses.

/** Path and title, in the order of the menu. */
export const places = [
  ["/", "Overview"],
  ["/console/documents", "Documents"],
  ["/console/people", "People"],
  ["/console/webhooks", "Webhooks"],
  ["/console/messages", "Messages"],
  ["/console/activity", "Activity"],
  ["/console/memory", "Memory"],
  ["/console/jobs", "Jobs"],
  ["/console/settings", "Settings"],
  ["/console/tokens", "Tokens"],
] as const;

/** The address of a page with its selection. Ids stand in the query, because they can have any character. */
export function address(path: string, query: Record<string, string | undefined> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const text = new URLSearchParams(given).toString();
  return text ? `${path}?${text}` : path;
}

export const documentAddress = (org: string, document: string): string =>
  address("/console/documents", { org, document });
export const userAddress = (org: string, user: string): string => address("/console/people", { org, user });
