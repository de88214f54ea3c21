import { load } from "../api.ts";
import { Head, Part } from "../components/head.tsx";
import { Json } from "../components/json.tsx";
import { Person } from "../components/person.tsx";
import { SafeLink } from "../components/safe-link.tsx";
import { Empty, Loaded } from "../components/states.tsx";
import { Time } from "../components/time.tsx";
import { accessText, useNow } from "../format.ts";
import { useLive } from "../live.ts";
import { folderTrail, pathOf, useFolders, useOrganizationName } from "../names.ts";
import { address } from "../places.ts";
import type { DocumentPlace, Present, ShownDocument } from "../types.ts";
import { Comments } from "./comments.tsx";

const path = "/console/documents";

/** One document: its comments, who is there, and what it is. `folder`: the path by which the reader came. */
export function DocumentView({ place, folder = "" }: { place: DocumentPlace; folder?: string | undefined }) {
  const { organizationId, documentId } = place;
  useFolders(organizationId);
  const organization = useOrganizationName(organizationId);
  const live = useLive(["document", organizationId, documentId], (signal) =>
    load<{ documents: ShownDocument[] }>(
      "v2/organizations/documents/get",
      { organizationId, documentIds: [documentId] },
      signal,
    ),
  );
  const found = live.data?.documents[0];
  const { folderId } = found ?? {};
  const above = pathOf(folder);
  const own = folderId === undefined ? [] : [folderId];
  const folderIds = !found || above.at(-1) === folderId ? above : own;
  const folders = folderTrail(organizationId, folderIds);
  const trail = [
    [path, "Documents"] as const,
    [address(path, { org: organizationId }), organization] as const,
    ...folders,
  ];
  return (
    <>
      <Head title={found?.documentName || documentId} trail={trail}>
        <a href={address("/console/people", { org: organizationId, view: "access", document: documentId })}>
          Who can see this
        </a>
      </Head>
      <Loaded live={live}>
        {() =>
          found ? (
            <div class="columns">
              <Comments place={place} />
              <div>
                <Presence place={place} />
                <Facts document={found} folder={folders.at(-1)} />
              </div>
            </div>
          ) : (
            <Empty title="There is no such document.">
              <p>
                It may have been deleted. <a href={address(path, { org: organizationId })}>See all documents</a>.
              </p>
            </Empty>
          )
        }
      </Loaded>
    </>
  );
}

function Presence({ place }: { place: DocumentPlace }) {
  const live = useLive(["presence", place.organizationId, place.documentId], (signal) =>
    load<{ users: Present[] }>("v2/presence/get", place, signal),
  );
  const now = useNow();
  return (
    <Part title="Presence">
      <Loaded live={live} lines={1}>
        {({ users }) => {
          // The API leaves out users whose presence has ended. Without a connection, its last reply stays for longer than
          // the users. Only then the clock of this machine counts: it can be wrong.
          const present = live.failure ? users.filter(({ expiresAt }) => expiresAt * 1_000 > now) : users;
          return present.length === 0 ? (
            <p class="quiet">Nobody is here. An editor that calls presence/add shows its user.</p>
          ) : (
            <ul class="stack" aria-label="Present users">
              {present.map((user) => (
                <li key={user.userId} class="row spread">
                  <Person person={user} organizationId={place.organizationId} />
                  <span class="quiet">
                    last seen <Time at={user.updatedAt} />
                  </span>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Part>
  );
}

interface FactsProps {
  document: ShownDocument;
  /** Its address and name. */
  folder: readonly [string, string] | undefined;
}

function Facts({ document, folder }: FactsProps) {
  const { documentId, accessType, metadata, createdAt } = document;
  const url = typeof metadata?.url === "string" ? metadata.url : undefined;
  // The link stands above.
  const more = Object.fromEntries(Object.entries(metadata ?? {}).filter(([key]) => key !== "url" || !url));
  return (
    <Part title="Details">
      <dl class="facts">
        <dt>Id</dt>
        <dd>
          <code>{documentId}</code>
        </dd>
        <dt>Access</dt>
        <dd>{accessText(accessType)}</dd>
        {folder && (
          <>
            <dt>Folder</dt>
            <dd>
              <a href={folder[0]}>{folder[1]}</a>
            </dd>
          </>
        )}
        {url && (
          <>
            <dt>Link</dt>
            <dd>
              <SafeLink href={url} />
            </dd>
          </>
        )}
        <dt>Added</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
      </dl>
      {Object.keys(more).length > 0 && (
        <>
          <h3>Metadata</h3>
          <Json label="Metadata" value={more} />
        </>
      )}
    </Part>
  );
}
