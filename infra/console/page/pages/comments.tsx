import { useRef, useState } from "preact/hooks";
import { load } from "../api.ts";
import { Curl } from "../components/curl.tsx";
import { Choice } from "../components/fields.tsx";
import { Part } from "../components/head.tsx";
import { List } from "../components/list.tsx";
import { Empty } from "../components/states.tsx";
import { usePaged } from "../paged.ts";
import type { Annotation, DocumentPlace } from "../types.ts";
import { useLocations } from "./location.ts";
import { LocationChoice } from "./location-choice.tsx";
import { NewThread } from "./new-thread.tsx";
import { isResolved, Thread } from "./thread.tsx";
import { Unsent } from "./unsent.tsx";
import { WriteAs } from "./write-as.tsx";

const statuses = [
  ["", "All states"],
  ["OPEN", "Open"],
  ["IN_PROGRESS", "In progress"],
  ["RESOLVED", "Resolved"],
] as const;

/** The threads of a document, the open ones first, and a form that starts one. */
export function Comments({ place }: { place: DocumentPlace }) {
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
  const { items } = paged;
  const locations = useLocations(items);
  // A thread keeps its place when it is resolved: a second click would hit the next one.
  const wasResolved = useRef(new Map<string, boolean>());
  for (const each of items ?? [])
    if (!wasResolved.current.has(each.annotationId)) wasResolved.current.set(each.annotationId, isResolved(each));
  const rank = ({ annotationId }: Annotation) => Number(wasResolved.current.get(annotationId));
  const sorted = items?.toSorted((one, other) => rank(one) - rank(other));
  const filter = (
    <>
      <WriteAs organizationId={place.organizationId} />
      <LocationChoice locations={locations} value={at} onValue={setAt} />
      <Choice label="State" isLabelHidden value={status} onValue={setStatus} options={statuses} />
    </>
  );
  return (
    <Part title="Comments" aside={filter}>
      <NewThread place={place} locations={locations} at={at} />
      {items && <Unsent place={place} listed={items} hasMore={paged.hasMore} />}
      <List
        label="Comment threads"
        class="thread"
        paged={{ ...paged, items: sorted }}
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
      <p>Write the first above, or add it through the API:</p>
      <Curl
        path="v2/organizations/documents/data/add"
        data={{ ...place, location: { id: "page-1", locationName: "Page 1" }, comments: [annotation] }}
      />
    </Empty>
  );
}
