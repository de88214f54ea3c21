import { useState } from "preact/hooks";
import { change, type KeyOf } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Choice } from "../components/fields.tsx";
import { Empty, Rows } from "../components/list.tsx";
import { Part, Person, Status, Tag, Time } from "../components/page.tsx";
import { inWords } from "../format.ts";
import { useList } from "../live.ts";
import type { DocumentPlace, PersonShown } from "../types.ts";

interface Comment {
  commentId: string;
  from: PersonShown;
  createdAt?: string;
  text?: string;
}

interface Thread {
  annotationId: string;
  from: PersonShown;
  createdAt?: string;
  status?: string;
  priority?: string;
  assignedTo?: PersonShown;
  comments?: Comment[];
  location: { id?: string; locationName?: string };
}

const statuses = [
  ["", "All"],
  ["OPEN", "Open"],
  ["IN_PROGRESS", "In progress"],
  ["RESOLVED", "Resolved"],
] as const;

/** The comment threads of a document. Users write comments in the product; here they are read and cleaned up. */
export function Threads({ place }: { place: DocumentPlace }) {
  const [status, setStatus] = useState("");
  const data = { ...place, kind: "comments", order: "newest", ...(status && { filters: { status } }) };
  const list = useList<Thread>("v2/organizations/documents/data/get", "items", data);
  return (
    <Part title="Comments" aside={<Choice label="State" value={status} onValue={setStatus} options={statuses} />}>
      <Rows
        label="Comment threads"
        class="threads"
        list={list}
        empty={<Empty title={status ? "No thread has this state." : "No comments yet."} />}
      >
        {(each) => <ThreadView key={each.annotationId} thread={each} place={place} />}
      </Rows>
    </Part>
  );
}

const nameOf = ({ name, userId }: PersonShown) => name || userId;

function ThreadView({ thread, place }: { thread: Thread; place: DocumentPlace }) {
  const { status = "OPEN", priority, assignedTo, comments = [], location, from, createdAt } = thread;
  const tone = status === "RESOLVED" ? "good" : status === "OPEN" ? "warn" : "busy";
  return (
    <li class="card stack">
      <div class="row spread">
        <div class="row">
          <Status tone={tone}>{inWords(status)}</Status>
          {priority && <Tag>Priority {priority}</Tag>}
          <span class="quiet">{location.locationName ?? location.id}</span>
          {assignedTo && <span class="quiet">assigned to {nameOf(assignedTo)}</span>}
        </div>
        <div class="row">
          <Actions thread={thread} place={place} />
        </div>
      </div>
      {comments.length === 0 && (
        <p class="quiet">
          {nameOf(from)} marked this place {createdAt && <Time at={createdAt} />}. It has no comment yet.
        </p>
      )}
      {comments.map((comment) => (
        <div key={comment.commentId}>
          <Person person={comment.from} organizationId={place.organizationId} />{" "}
          {comment.createdAt && <Time at={comment.createdAt} />}
          <p class="wrap">{comment.text}</p>
        </div>
      ))}
    </li>
  );
}

function Actions({ thread: { annotationId, status }, place }: { thread: Thread; place: DocumentPlace }) {
  const isResolved = status === "RESOLVED";
  const setStatus = (keyOf: KeyOf) => {
    const update = { status: isResolved ? "OPEN" : "RESOLVED" };
    return change("v2/commentannotations/update", { ...place, annotationIds: [annotationId], update }, keyOf);
  };
  const remove = (keyOf: KeyOf) =>
    change("v2/organizations/documents/data/delete", { ...place, kind: "comments", ids: [annotationId] }, keyOf);
  const text = "The thread goes with all its comments. Nobody can bring it back.";
  return (
    <>
      <Action scope="write" run={setStatus} done={isResolved ? "Reopened." : "Resolved."}>
        {isResolved ? "Reopen" : "Resolve"}
      </Action>
      <Action scope="write" run={remove} done="Thread deleted." ask={{ title: "Delete this thread?", text }}>
        Delete thread
      </Action>
    </>
  );
}
