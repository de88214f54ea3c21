import { useLocation } from "preact-iso";
import { load } from "../api.ts";
import { Choice } from "../components/fields.tsx";
import { Part } from "../components/head.tsx";
import { Empty, Loaded } from "../components/states.tsx";
import { useDocuments } from "../documents.ts";
import { useLive } from "../live.ts";
import { useFolders, useOrganizationName } from "../names.ts";
import { address } from "../places.ts";
import type { User } from "../types.ts";
import { useUsers } from "../users.ts";
import { type Entry, Sentence } from "./because.tsx";

const path = "/console/people";
/** More users are not explained at once. */
const usersMax = 200;

type Kind = "document" | "folder" | "organization";
type Explained = Record<string, { documents: Entries; folders: Entries; organization: Entries }>;
type Entries = Record<string, Entry>;

/** Who can see a document, a folder or the organization, and what decides that. */
export function AccessView({ organizationId }: { organizationId: string }) {
  const { query, route } = useLocation();
  const documents = useDocuments(organizationId).data ?? [];
  const folders = useFolders(organizationId).data ?? [];
  const kind: Kind = query.folder ? "folder" : query.document ? "document" : "organization";
  const id = query.folder || query.document || organizationId;
  const go = (next: object) => route(address(path, { org: organizationId, view: "access", user: query.user, ...next }));
  const users = useUsers(organizationId);
  const things = [
    ["", "The whole organization"] as const,
    ...folders.map((each) => [`folder ${each.folderId}`, `Folder ${each.folderName || each.folderId}`] as const),
    ...documents.map((each) => [`document ${each.documentId}`, each.documentName || each.documentId] as const),
  ];
  const current = kind === "organization" ? "" : `${kind} ${id}`;
  // The lists end before what the address can name: a folder below another one, or one of many documents.
  const options = things.some(([value]) => value === current) ? things : [...things, [current, id] as const];
  return (
    <>
      <div class="filters part">
        <Choice
          label="What"
          value={current}
          onValue={(value) => {
            const [chosen = "", ...rest] = value.split(" ");
            go(chosen ? { [chosen]: rest.join(" ") } : {});
          }}
          options={options}
        />
        <Choice
          label="User"
          value={query.user ?? ""}
          onValue={(user) => go({ user, ...(kind !== "organization" && { [kind]: id }) })}
          options={[
            ["", "Everybody"] as const,
            ...(users.data ?? []).map(({ userId, name }) => [userId, name || userId] as const),
            ...(isUnknown(query.user, users.data) ? [[query.user as string, query.user as string] as const] : []),
          ]}
        />
      </div>
      <Loaded live={users}>
        {(known) => <Sentences organizationId={organizationId} kind={kind} id={id} users={known} userId={query.user} />}
      </Loaded>
    </>
  );
}

/** A user who was deleted, or who is not among the first ones. */
const isUnknown = (userId: string | undefined, users: readonly User[] | undefined) =>
  Boolean(userId) && users !== undefined && !users.some((each) => each.userId === userId);

interface SentencesProps {
  organizationId: string;
  kind: Kind;
  id: string;
  users: User[];
  userId: string | undefined;
}

function Sentences({ organizationId, kind, id, users, userId }: SentencesProps) {
  const userIds = userId ? [userId] : users.slice(0, usersMax).map((each) => each.userId);
  const organizationName = useOrganizationName(organizationId);
  const folders = useFolders(organizationId).data ?? [];
  const document = useDocuments(organizationId).data?.find(({ documentId }) => documentId === id);
  const folder = folders.find(({ folderId }) => folderId === id);
  const resource = {
    document: { documentIds: [id] },
    folder: { folderIds: [id] },
    organization: {},
  }[kind];
  const live = useLive(userIds.length ? ["access", organizationId, kind, id, userIds] : undefined, (signal) =>
    load<Explained>("v2/auth/permissions/get", { organizationId, userIds, ...resource, explain: true }, signal),
  );
  if (userIds.length === 0) return <Empty title="The organization has no users yet." />;
  const name =
    { document: document?.documentName, folder: folder?.folderName, organization: organizationName }[kind] || id;
  const folderNames = new Map(folders.map((each) => [each.folderId, each.folderName || each.folderId]));
  return (
    <Part title={`Who can see ${name}, and why`}>
      <Loaded live={live}>
        {(explained) => (
          <ul class="rows sentences" aria-label="Who can see it">
            {userIds.map((each) => {
              const user = users.find((known) => known.userId === each) ?? { userId: each };
              const entries = explained[each]?.[kind === "organization" ? kind : (`${kind}s` as const)];
              const entry = entries && Object.hasOwn(entries, id) ? entries[id] : undefined;
              return <Sentence key={each} user={user} entry={entry} what={name} folderNames={folderNames} />;
            })}
          </ul>
        )}
      </Loaded>
      {!userId && users.length > usersMax && (
        <p class="quiet">The first {usersMax} users. Choose one to see another.</p>
      )}
    </Part>
  );
}
