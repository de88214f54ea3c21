import { change } from "../api.ts";
import { Action, useChange } from "../components/action.tsx";
import { Changed } from "../components/changed.tsx";
import { Failure } from "../components/failure.tsx";
import { LongField } from "../components/fields.tsx";
import type { PersonShown } from "../components/person.tsx";
import { Status, Tag } from "../components/status.tsx";
import { Time } from "../components/time.tsx";
import { useDraft } from "../draft.ts";
import { inWords } from "../format.ts";
import { useRefusal } from "../session.ts";
import type { Try } from "../try.ts";
import type { Annotation, DocumentPlace } from "../types.ts";
import { CommentView } from "./comment.tsx";
import { locationText } from "./location.ts";
import { useAuthor } from "./write-as.tsx";

interface ThreadProps {
  annotation: Annotation;
  place: DocumentPlace;
}

/** One annotation with its comments. */
export function Thread({ annotation, place }: ThreadProps) {
  const { annotationId, status = "OPEN", priority, assignedTo, comments = [], location, from, createdAt } = annotation;
  const author = useAuthor(place.organizationId);
  return (
    <Changed of={annotation}>
      <div class="row spread">
        <div class="row">
          <ThreadStatus status={status} />
          {priority && <Tag>{priority}</Tag>}
          <span class="quiet">{locationText(location)}</span>
        </div>
        <ThreadActions annotation={annotation} place={place} author={author} />
      </div>
      {assignedTo && <p class="quiet">Assigned to {assignedTo.name || assignedTo.userId}</p>}
      {comments.length === 0 && (
        <p class="quiet">
          {from.name || from.userId} marked this place {createdAt && <Time at={createdAt} />}. It has no comment yet.
        </p>
      )}
      <ul class="comments" aria-label={`Comments of ${annotationId}`}>
        {comments.map((comment) => (
          <CommentView key={comment.commentId} comment={comment} thread={{ ...place, annotationId }} author={author} />
        ))}
      </ul>
      <Reply annotationId={annotationId} place={place} author={author} />
    </Changed>
  );
}

function ThreadStatus({ status }: { status: string }) {
  const tone = status === "RESOLVED" ? "good" : status === "OPEN" ? "warn" : "busy";
  return <Status tone={tone}>{inWords(status)}</Status>;
}

function ThreadActions({ annotation, place, author }: ThreadProps & { author: PersonShown | undefined }) {
  const { annotationId, status } = annotation;
  const isResolved = status === "RESOLVED";
  const by = author && { actionUser: author };
  const setStatus = (attempt: Try) => {
    const data = {
      ...place,
      annotationIds: [annotationId],
      update: { status: isResolved ? "OPEN" : "RESOLVED" },
      ...by,
    };
    return change("v2/commentannotations/update", data, attempt);
  };
  const remove = (attempt: Try) => {
    const data = { ...place, kind: "comments", ids: [annotationId], ...by };
    return change("v2/organizations/documents/data/delete", data, attempt);
  };
  return (
    <div class="row">
      <Action scope="write" run={setStatus} done={isResolved ? "Reopened." : "Resolved."}>
        {isResolved ? "Reopen" : "Resolve"}
      </Action>
      <Action
        scope="write"
        tone="bare"
        run={remove}
        done="Thread deleted."
        label="Delete thread"
        ask={{
          title: "Delete this thread?",
          text: "The thread goes with all its comments. Nobody can bring it back.",
          confirm: "Delete thread",
        }}
      >
        Delete
      </Action>
    </div>
  );
}

interface ReplyProps {
  annotationId: string;
  place: DocumentPlace;
  author: PersonShown | undefined;
}

function Reply({ annotationId, place, author }: ReplyProps) {
  const { draft: text, setDraft: setText, sent } = useDraft<string>("");
  const sending = useChange();
  const refusal = useRefusal("write") ?? (author ? undefined : "The organization has no user who can write.");
  const send = async (event?: Event) => {
    event?.preventDefault();
    if (refusal || !text.trim() || sending.isBusy) return;
    const work = (attempt: Try) => {
      const commentId = attempt.kept(["comment", annotationId, author, text], () => crypto.randomUUID());
      const comments = [{ commentId, from: author, text }];
      const data = { ...place, annotationId, comments, actionUser: author };
      return change("v2/commentannotations/comments/add", data, attempt);
    };
    if (await sending.run(work, "Reply added.")) sent(text);
  };
  return (
    <form class="reply" onSubmit={(event) => void send(event)}>
      <LongField label={author ? `Reply as ${author.name || author.userId}` : "Reply"} value={text} onValue={setText} />
      <button
        type="submit"
        class="main"
        title={refusal}
        aria-disabled={refusal || !text.trim() || sending.isBusy ? "true" : undefined}
      >
        Reply
      </button>
      {sending.failure && <Failure failure={sending.failure} retry={() => void send()} />}
    </form>
  );
}
