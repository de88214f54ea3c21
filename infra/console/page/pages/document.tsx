import { useState } from "preact/hooks";
import { load } from "../api.ts";
import { Curl } from "../components/curl.tsx";
import { Choice } from "../components/fields.tsx";
import { Head, Part } from "../components/head.tsx";
import { Json } from "../components/json.tsx";
import { List } from "../components/list.tsx";
import { Person } from "../components/person.tsx";
import { SafeLink } from "../components/safe-link.tsx";
import { Empty, Loaded } from "../components/states.tsx";
import { Time } from "../components/time.tsx";
import { inWords } from "../format.ts";
import { useLive } from "../live.ts";
import { pathText, useFolderName, useOrganizationName } from "../names.ts";
import { usePaged } from "../paged.ts";
import { address } from "../places.ts";
import type { Annotation, DocumentPlace, Present, ShownDocument } from "../types.ts";
import { Locations } from "./locations.tsx";
import { Thread } from "./thread.tsx";
import { WriteAs } from "./write-as.tsx";

const path = "/console/documents";

/** One document: its comments, who is there, and what it is. */
export function DocumentView({ place }: { place: DocumentPlace }) {
  const { organizationId, documentId } = place;
  const organization = useOrganizationName(organizationId);
  const live = useLive(["document", organizationId, documentId], (signal) =>
    load<{ documents: ShownDocument[] }>(
      "v2/organizations/documents/get",
      { organizationId, documentIds: [documentId] },
      signal,
    ),
  );
  const found = live.data?.documents[0];
  const trail = [[path, "Documents"] as const, [address(path, { org: organizationId }), organization] as const];
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
                <Facts document={found} organizationId={organizationId} />
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

const statuses = [
  ["", "All states"],
  ["OPEN", "Open"],
  ["IN_PROGRESS", "In progress"],
  ["RESOLVED", "Resolved"],
] as const;

function Comments({ place }: { place: DocumentPlace }) {
  const [status, setStatus] = useState("");
  const [at, setAt] = useState("");
  const key = ["annotations", place.organizationId, place.documentId, status, at];
  const paged = usePaged<Annotation>(key, async (pageToken, signal) => {
    const filters = status ? { filters: { status } } : {};
    const where = at ? { location: JSON.parse(at) as object } : {};
    const data = { ...place, kind: "comments", order: "newest", ...filters, ...where, pageToken };
    const path = "v2/organizations/documents/data/get";
    return load<{ items: Annotation[]; nextPageToken: string | null }>(path, data, signal);
  });
  const filter = (
    <>
      <WriteAs organizationId={place.organizationId} />
      <Locations items={paged.items} value={at} onValue={setAt} />
      <Choice label="State" isLabelHidden value={status} onValue={setStatus} options={statuses} />
    </>
  );
  return (
    <Part title="Comments" aside={filter}>
      <List
        label="Comment threads"
        class="thread"
        paged={paged}
        empty={<NoComments place={place} isFiltered={Boolean(status || at)} />}
      >
        {(each) => <Thread key={each.annotationId} annotation={each} place={place} />}
      </List>
    </Part>
  );
}

function NoComments({ place, isFiltered }: { place: DocumentPlace; isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No comment is like this." />;
  const alice = { userId: "alice", name: "Alice" };
  const comments = [{ commentId: "comment-1", from: alice, text: "Shall we?" }];
  const annotation = { annotationId: "thread-1", from: alice, status: "OPEN", comments };
  return (
    <Empty title="No comments yet.">
      <p>Add the first:</p>
      <Curl
        path="v2/organizations/documents/data/add"
        data={{ ...place, location: { id: "page-1", locationName: "Page 1" }, comments: [annotation] }}
      />
    </Empty>
  );
}

function Presence({ place }: { place: DocumentPlace }) {
  const live = useLive(["presence", place.organizationId, place.documentId], (signal) =>
    load<{ users: Present[] }>("v2/presence/get", place, signal),
  );
  return (
    <Part title="Present now">
      <Loaded live={live} lines={1}>
        {({ users }) =>
          users.length === 0 ? (
            <p class="quiet">Nobody is here. An editor that calls presence/add shows its user.</p>
          ) : (
            <ul class="stack" aria-label="Present users">
              {users.map((user) => (
                <li key={user.userId} class="row spread">
                  <Person person={user} organizationId={place.organizationId} />
                  <Time at={user.updatedAt} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Part>
  );
}

function Facts({ document, organizationId }: { document: ShownDocument; organizationId: string }) {
  const { documentId, accessType, folderId, metadata, createdAt } = document;
  const folder = useFolderName(organizationId, folderId);
  const url = typeof metadata?.url === "string" ? metadata.url : undefined;
  return (
    <Part title="Details">
      <dl class="facts">
        <dt>Id</dt>
        <dd>
          <code>{documentId}</code>
        </dd>
        <dt>Access</dt>
        <dd>{inWords(accessType ?? "organizationPrivate")}</dd>
        {folderId && (
          <>
            <dt>Folder</dt>
            <dd>
              <a href={address(path, { org: organizationId, folder: pathText([folderId]) })}>{folder}</a>
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
      {metadata && <Json label="Metadata" value={metadata} />}
    </Part>
  );
}
