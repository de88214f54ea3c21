// The pages of the console, in the order of the menu.

export interface Place {
  path: string;
  title: string;
  /** `g` and this key open the page. */
  key: string;
  about: string;
}

export const places = [
  { path: "/", title: "Overview", key: "o", about: "numbers of the last hour, and what needs attention" },
  { path: "/console/documents", title: "Documents", key: "d", about: "organizations, folders, documents, comments" },
  { path: "/console/people", title: "People", key: "p", about: "users, groups, who can see what and why" },
  { path: "/console/webhooks", title: "Webhooks", key: "w", about: "endpoints, deliveries, attempts" },
  { path: "/console/messages", title: "Messages", key: "m", about: "e-mail and Slack messages, suppressions" },
  { path: "/console/activity", title: "Activity", key: "a", about: "the log of an organization, and its verification" },
  { path: "/console/memory", title: "Memory", key: "y", about: "questions, judgments, knowledge sources" },
  { path: "/console/jobs", title: "Jobs", key: "j", about: "background work and its failures" },
  { path: "/console/settings", title: "Settings", key: "s", about: "settings of the workspace and of the deployment" },
  { path: "/console/tokens", title: "Tokens", key: "t", about: "auth tokens, their scopes and their end" },
] as const satisfies readonly Place[];

/** The address of a page with its selection. Ids stand in the query, because they can have any character. */
export function address(path: string, query: Record<string, string | undefined> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const text = new URLSearchParams(given).toString();
  return text ? `${path}?${text}` : path;
}

/** What an address names, of all views. Undefined for any other text, also for `constructor`. */
export const viewOf = <Views extends Record<string, string>>(views: Views, view: string | undefined) =>
  view !== undefined && Object.hasOwn(views, view) ? (views[view] as Views[keyof Views]) : undefined;
