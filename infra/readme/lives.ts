// The table of what can be added, and of the calls that read, change and delete it.
import { endpoints } from "../deployables.ts";
import { table } from "./table.ts";

/** Names of endpoints, and sentences that say why there is none. A sentence has spaces. */
type Cell = readonly string[];

interface Life {
  what: string;
  add: Cell;
  get: Cell;
  update: Cell;
  delete: Cell;
}

const life = (what: string, add: Cell, get: Cell, update: Cell, remove: Cell): Life => {
  return { what, add, get, update, delete: remove };
};

/** An endpoint that adds something new needs a row here. */
export const lives: readonly Life[] = [
  life(
    "Organization",
    ["organizations-add"],
    ["organizations-get"],
    ["organizations-update"],
    ["organizations-delete"],
  ),
  life("Folder", ["folders-add"], ["folders-get"], ["folders-update"], ["folders-delete"]),
  life(
    "Document",
    ["documents-add"],
    ["documents-get"],
    ["documents-update", "documents-migrate"],
    ["documents-delete"],
  ),
  life(
    "Location of a document",
    ["documents-data-add", "locations-update"],
    ["documents-data-get"],
    ["locations-update"],
    ["locations-data-delete"],
  ),
  life(
    "Comment, reaction or recording",
    ["documents-data-add"],
    ["documents-data-get", "users-data-get"],
    ["documents-data-add", "data/add replaces an item with a known id.", "commentannotations-update"],
    ["documents-data-delete", "locations-data-delete"],
  ),
  life(
    "Reply in a comment annotation",
    ["comments-add", "documents-data-add"],
    ["documents-data-get"],
    ["comments-update"],
    ["comments-delete"],
  ),
  life("User", ["users-add", "token-generate"], ["users-get"], ["users-update"], ["users-delete", "users-data-delete"]),
  life(
    "Grant",
    ["permissions-add", "token-generate", "users-add"],
    ["permissions-get", "users-get"],
    ["permissions-add", "users-update"],
    ["permissions-remove", "users-delete"],
  ),
  life("User group", ["usergroups-add"], ["usergroups-get"], ["usergroups-update"], ["usergroups-delete"]),
  life(
    "Member of a user group",
    ["usergroup-users-add"],
    ["usergroups-get"],
    ["A membership has no fields."],
    ["usergroup-users-delete"],
  ),
  life(
    "Activity of an activity log",
    ["activities-add", "Each event of an organization adds one, while the log is on."],
    ["activities-get"],
    ["activities-update"],
    ["activities-delete", "The chain keeps its record, without texts."],
  ),
  life(
    "Content of an editor",
    ["crdt-add", "crdt-update"],
    ["crdt-get", "crdt-list"],
    ["crdt-update"],
    ["crdt-delete"],
  ),
  life(
    "Presence",
    ["presence-add"],
    ["presence-get"],
    ["presence-add", "It renews the presence."],
    ["presence-delete"],
  ),
  life(
    "Notification",
    ["notifications-add"],
    ["notifications-get"],
    ["notifications-read", "Its content does not change."],
    ["notifications-delete"],
  ),
  life(
    "Address that gets no e-mail, after a complaint",
    ["SES reports a complaint."],
    ["messages-suppressions-get"],
    ["It has nothing that changes."],
    ["messages-suppressions-delete"],
  ),
  life(
    "Notification preference",
    ["notifications-config-set"],
    ["notifications-config-get"],
    ["notifications-config-set"],
    ["Set another level. It ends with its document or its user."],
  ),
  life("Agent", ["agents-create"], ["agents-get", "agents-config-resolve"], ["agents-update"], ["agents-delete"]),
  life(
    "Judgment",
    ["judgments-add"],
    ["judgments-get", "memory-search"],
    ["judgments-add", "It replaces a record with a known id."],
    ["judgments-delete"],
  ),
  life(
    "Knowledge source",
    ["agents-extract"],
    ["knowledge-list", "knowledge-get"],
    ["It is the text of a file. Another file is another source."],
    ["knowledge-delete"],
  ),
  life(
    "Auth token",
    ["authtokens-create"],
    ["authtokens-get"],
    ["A token does not change. Create another one."],
    ["authtokens-revoke"],
  ),
  life("Allowed domain", ["domains-add"], ["domains-get"], ["A domain has no fields."], ["domains-delete"]),
  life(
    "Webhook endpoint",
    ["webhook-endpoints-create"],
    ["webhook-endpoints-get"],
    ["webhook-endpoints-update"],
    ["webhook-endpoints-delete"],
  ),
  life(
    "Secret of a webhook endpoint",
    ["webhook-endpoints-create"],
    ["webhook-secret-get"],
    ["webhook-secret-rotate"],
    ["It ends with its endpoint."],
  ),
  life(
    "Delivery of a webhook",
    ["webhook-test", "Every event makes deliveries."],
    ["webhook-deliveries-get"],
    ["webhook-deliveries-retry"],
    ["It is deleted after its days, or with its endpoint."],
  ),
  life(
    "Migration of a document",
    ["documents-migrate"],
    ["documents-migrate-status"],
    ["It runs to its end."],
    ["It ends with its document."],
  ),
];

/** The endpoints that a row names. Throws for a name that no endpoint has. */
export const endpointsIn = (cell: Cell) =>
  cell
    .filter((each) => !each.includes(" "))
    .map((name) => {
      const found = endpoints.find((each) => each.name === name);
      if (!found) throw new Error(`There is no endpoint ${name}. Correct the row in infra/readme/lives.ts.`);
      return found;
    });

export function lifeTable(): string {
  const shown = (cell: Cell) => {
    const paths = endpointsIn(cell).map(({ path }) => `\`${path.replace(/^\/v\d\//, "")}\``);
    return [...paths, ...cell.filter((each) => each.includes(" "))].join("<br>");
  };
  const rows = lives.map((each) => [each.what, ...[each.add, each.get, each.update, each.delete].map(shown)]);
  return table(["What", "Add", "Get", "Update", "Delete"], rows);
}
