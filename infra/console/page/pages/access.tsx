import { useLocation } from "preact-iso";
import { Filter } from "../components/fields.tsx";
import { Empty, Loaded } from "../components/list.tsx";
import { useOrganizationName } from "../components/organization.tsx";
import { Part } from "../components/page.tsx";
import { Time } from "../components/text.tsx";
import { useList } from "../list.ts";
import { seldomMs, useCall } from "../live.ts";
import { address } from "../places.ts";
import type { Folder, PersonShown, ShownDocument, User } from "../types.ts";

const path = "/console/people";
/** What is offered for a choice, and how many users are explained at once. */
const first = { pageSize: 100 };

type Entries = Record<string, Entry>;
type Explained = Record<string, { documents: Entries; folders: Entries; organization: Entries }>;

/** Who can see a document, a folder or the organization, and what decides that. */
export function AccessView({ organizationId }: { organizationId: string }) {
  const { query, route } = useLocation();
  const { document = "", folder = "", user = "" } = query;
  const asked = { organizationId, ...first };
  const documents = useList<ShownDocument>("v2/organizations/documents/get", "documents", asked, seldomMs).items ?? [];
  const folders = useList<Folder>("v2/organizations/folders/get", "folders", asked, seldomMs).items ?? [];
  const users = useList<User>("v2/users/get", "users", asked, seldomMs);
  const known = users.items ?? [];
  const folderNames = new Map(folders.map(({ folderId, folderName }) => [folderId, folderName || folderId]));
  const documentNames = documents.map((each) => [each.documentId, each.documentName ?? ""] as const);
  const userNames = known.map(({ userId, name }) => [userId, name ?? ""] as const);
  const go = (next: object) => route(address(path, { org: organizationId, view: "access", ...next }));
  const userIds = user ? [user] : known.map(({ userId }) => userId);
  const names: Record<string, string> = { ...Object.fromEntries(folderNames), ...Object.fromEntries(documentNames) };
  return (
    <>
      <div class="filters part">
        <Filter
          label="Document"
          value={document}
          onValue={(id) => go({ document: id, user })}
          options={documentNames}
        />
        <Filter label="Folder" value={folder} onValue={(id) => go({ folder: id, user })} options={[...folderNames]} />
        <Filter label="User" value={user} onValue={(id) => go({ document, folder, user: id })} options={userNames} />
      </div>
      <Loaded live={{ ...users, data: users.items }}>
        {() =>
          userIds.length === 0 ? (
            <Empty title="The organization has no users yet." />
          ) : (
            <Sentences {...{ organizationId, document, folder, names, folderNames }} users={known} userIds={userIds} />
          )
        }
      </Loaded>
    </>
  );
}

interface SentencesProps {
  organizationId: string;
  /** Of these two, the first that is not empty. Both empty: the organization. */
  document: string;
  folder: string;
  names: Record<string, string>;
  folderNames: Map<string, string>;
  users: User[];
  userIds: string[];
}

function Sentences({ organizationId, document, folder, names, folderNames, users, userIds }: SentencesProps) {
  const organizationName = useOrganizationName(organizationId);
  const id = document || folder || organizationId;
  const kind = document ? "documents" : folder ? "folders" : "organization";
  const resource = document ? { documentIds: [document] } : folder ? { folderIds: [folder] } : {};
  const data = { organizationId, userIds, ...resource, explain: true };
  const live = useCall<Explained>("v2/auth/permissions/get", data, seldomMs);
  const what = kind === "organization" ? organizationName : names[id] || id;
  return (
    <Part title={`Who can see ${what}, and why`}>
      <Loaded live={live}>
        {(explained) => (
          <ul class="rows" aria-label="Who can see it">
            {userIds.map((each) => (
              <li key={each}>
                <Sentence
                  user={users.find(({ userId }) => userId === each) ?? { userId: each }}
                  entry={new Map(Object.entries(explained[each]?.[kind] ?? {})).get(id) ?? {}}
                  what={what}
                  folderNames={folderNames}
                />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {userIds.length === first.pageSize && (
        <p class="quiet">The first {first.pageSize} users. Type the id of another one.</p>
      )}
    </Part>
  );
}

/** One user's access to one thing, with what decided. */
interface Entry {
  accessRole?: "viewer" | "editor";
  accessType?: "public" | "organizationPrivate" | "restricted";
  expiresAt?: number;
  errorCode?: string;
  because?: Because;
}

interface Because {
  level: "document" | "folder" | "organization" | "accessType" | "admin" | "provider" | "none";
  id: string;
  accessRole?: "viewer" | "editor";
}

interface SentenceProps {
  user: PersonShown;
  entry: Entry;
  what: string;
  folderNames: Map<string, string>;
}

/** "Alice can edit Launch plan because of a grant on the folder Plans (editor)." */
function Sentence({ user, entry, what, folderNames }: SentenceProps) {
  const { accessRole, because, expiresAt } = entry;
  const verb = accessRole === "editor" ? "can edit" : accessRole ? "can view" : "cannot see";
  return (
    <span>
      <strong>{user.name || user.userId}</strong> {verb} {what}
      {accessRole && because && ` because ${reason(because, folderNames)}`}
      {!accessRole && `: ${refusal(entry)}`}
      {expiresAt !== undefined && (
        <>
          , until <Time at={expiresAt} />
        </>
      )}
      .
    </span>
  );
}

function reason({ level, id, accessRole }: Because, folderNames: Map<string, string>): string {
  const role = accessRole ? ` (${accessRole})` : "";
  const texts = {
    document: `of a grant on the document itself${role}`,
    folder: `of a grant on the folder ${folderNames.get(id) ?? id}${role}`,
    organization: `of a grant on the whole organization${role}`,
    accessType: "it is public",
    admin: "of being an administrator of the organization",
    provider: "the permission provider says so",
    none: "nothing forbids it",
  };
  return texts[level];
}

function refusal({ errorCode, because, accessType }: Entry): string {
  if (errorCode === "does_not_exist") return "it does not exist";
  if (errorCode === "something_went_wrong") return "the permission provider gave no usable answer";
  if (because?.level === "provider") return "the permission provider refuses it";
  if (accessType === "restricted") return "it is restricted, so only a grant on it or on a folder above it counts";
  return "no grant on it or above it gives access";
}
