import { useLocation } from "preact-iso";
import { Filter } from "../components/fields.tsx";
import { Empty, Loaded } from "../components/list.tsx";
import { useOrganizationName } from "../components/organization.tsx";
import { Part } from "../components/page.tsx";
import { type List, seldomMs, useCall, useList } from "../live.ts";
import { address } from "../places.ts";
import type { Folder, PersonShown, ShownDocument, User } from "../types.ts";
import { type Entry, type Kind, Sentence } from "./access-sentence.tsx";

const path = "/console/people";
/** What is offered for a choice, and how many users are explained at once. */
const first = { pageSize: 100 };

type Entries = Record<string, Entry>;
type Explained = Record<string, { documents: Entries; folders: Entries; organization: Entries }>;

const kinds = { document: "documents", folder: "folders", organization: "organization" } as const;

/** Who can see a document, a folder or the organization, or what one user can see, and what decides that. */
export function AccessView({ organizationId }: { organizationId: string }) {
  const { query, route } = useLocation();
  const { document = "", folder = "", user = "" } = query;
  const asked = { organizationId, ...first };
  const documents = useList<ShownDocument>("v2/organizations/documents/get", "documents", asked, seldomMs);
  const folders = useList<Folder>("v2/organizations/folders/get", "folders", asked, seldomMs);
  const users = useList<User>("v2/users/get", "users", asked, seldomMs);
  const organizationName = useOrganizationName(organizationId);
  const known = users.items ?? [];
  const names = {
    document: new Map((documents.items ?? []).map((each) => [each.documentId, each.documentName ?? ""])),
    folder: new Map((folders.items ?? []).map((each) => [each.folderId, each.folderName ?? ""])),
    organization: new Map([[organizationId, organizationName]]),
  };
  const userNames = known.map(({ userId, name }) => [userId, name ?? ""] as const);
  const go = (next: object) => route(address(path, { org: organizationId, view: "access", ...next }));
  const thing: Thing = document
    ? { kind: "document", id: document }
    : folder
      ? { kind: "folder", id: folder }
      : { kind: "organization", id: organizationId };
  const isOfUser = user !== "" && thing.kind === "organization";
  const all = (["folder", "document"] as const).flatMap((kind) => [...names[kind].keys()].map((id) => ({ kind, id })));
  const sentences = {
    organizationId,
    users: user ? [known.find(({ userId }) => userId === user) ?? { userId: user }] : known,
    things: isOfUser ? [thing, ...all] : [thing],
    nameOf: (kind: Kind, id: string) => names[kind].get(id) || id,
  };
  return (
    <>
      <div class="filters part">
        <Filter
          label="Document"
          value={document}
          onValue={(id) => go({ document: id, user })}
          options={[...names.document]}
        />
        <Filter label="Folder" value={folder} onValue={(id) => go({ folder: id, user })} options={[...names.folder]} />
        <Filter label="User" value={user} onValue={(id) => go({ document, folder, user: id })} options={userNames} />
      </div>
      <Loaded live={{ ...users, data: users.items }}>
        {() =>
          sentences.users.length === 0 ? (
            <Empty title="The organization has no users yet." />
          ) : (
            <Sentences key={isOfUser ? user : ""} {...sentences} />
          )
        }
      </Loaded>
      {isOfUser && <More of="documents" list={documents} />}
      {isOfUser && <More of="folders" list={folders} />}
      {!user && <More of="users" list={users} />}
    </>
  );
}

/** What is not loaded yet is not explained either. */
function More({ of, list: { items = [], hasMore, isLoadingMore, more } }: { of: string; list: List<unknown> }) {
  if (!hasMore || items.length >= idsMax) return null;
  return (
    <button type="button" onClick={more} aria-disabled={isLoadingMore ? "true" : undefined}>
      Explain more {of}
    </button>
  );
}

interface Thing {
  kind: Kind;
  id: string;
}

interface SentencesProps {
  organizationId: string;
  users: PersonShown[];
  things: Thing[];
  nameOf: (kind: Kind, id: string) => string;
}

/** How many ids of a kind a call takes. */
const idsMax = 1_000;

/** Each user with each thing. What a user can see stands before what the user cannot see. */
function Sentences({ organizationId, users, things, nameOf }: SentencesProps) {
  const idsOf = (wanted: Kind) => things.flatMap(({ kind, id }) => (kind === wanted ? [id] : [])).slice(0, idsMax);
  const [documentIds, folderIds] = [idsOf("document"), idsOf("folder")];
  const data = {
    organizationId,
    userIds: users.map(({ userId }) => userId).slice(0, idsMax),
    ...(documentIds.length > 0 && { documentIds }),
    ...(folderIds.length > 0 && { folderIds }),
    explain: true,
  };
  const live = useCall<Explained>("v2/auth/permissions/get", data, seldomMs);
  const [first] = things;
  const isOfUser = things.length > 1;
  const what = first ? nameOf(first.kind, first.id) : "";
  const title = isOfUser
    ? `What ${users[0]?.name || users[0]?.userId} can see, and why`
    : `Who can see ${what}, and why`;
  return (
    <Part title={title}>
      <Loaded live={live}>
        {(explained) => {
          const all = users.flatMap((user) =>
            things.map((thing) => {
              const entries = explained[user.userId]?.[kinds[thing.kind]] ?? {};
              return { user, thing, entry: new Map(Object.entries(entries)).get(thing.id) ?? {} };
            }),
          );
          const sorted = isOfUser ? all.toSorted((one, other) => rank(one.entry) - rank(other.entry)) : all;
          return (
            <ul class="rows" aria-label={isOfUser ? "What the user can see" : "Who can see it"}>
              {sorted.map((each) => (
                <li key={JSON.stringify([each.user.userId, each.thing])}>
                  <Sentence organizationId={organizationId} nameOf={nameOf} {...each} />
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Part>
  );
}

const rank = ({ accessRole }: Entry) => (accessRole ? 0 : 1);
