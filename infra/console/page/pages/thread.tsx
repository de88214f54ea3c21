import { useId, useState } from "preact/hooks";
import { change } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Changed } from "../components/changed.tsx";
import { Status, Tag } from "../components/status.tsx";
import { Time } from "../components/time.tsx";
import { inWords, plural } from "../format.ts";
import type { Try } from "../try.ts";
import { discardThread } from "../typed.ts";
import type { Annotation, DocumentPlace, PersonShown } from "../types.ts";
import { CommentView } from "./comment.tsx";
import { locationText } from "./location.ts";
import { useAuthor } from "./write-as.tsx";
import { WriteForm, type Written } from "./write-form.tsx";

interface ThreadProps {
  annotation: Annotation;
  place: DocumentPlace;
}

const labelLength = 100;

export const isResolved = ({ status }: Annotation): boolean => status === "RESOLVED";

/** One annotation with its comments. One that was resolved before the reader came is folded. */
export function Thread({ annotation, place }: ThreadProps) {
  const { annotationId, status = "OPEN", priority, assignedTo, comments = [], location, from, createdAt } = annotation;
  const author = useAuthor(place.organizationId);
  const [isShown, setShown] = useState(!isResolved(annotation));
  // A thread that was open stays so when somebody resolves it: the reader may be writing in it.
  if (!isShown && !isResolved(annotation)) setShown(true);
  const isFolded = !isShown && isResolved(annotation);
  const contentId = useId();
  return (
    <Changed of={annotation}>
      <div class="row spread">
        <div class="row">
          <ThreadStatus status={status} />
          {priority && <Tag>Priority {priority}</Tag>}
          <span class="quiet">{locationText(location)}</span>
        </div>
        <div class="row">
          {isResolved(annotation) && (
            <button
              type="button"
              aria-expanded={isShown}
              aria-controls={contentId}
              aria-label={`${isShown ? "Hide" : "Show"} thread: ${labelOf(annotation)}`}
              onClick={() => setShown(!isShown)}
            >
              {isShown ? "Hide" : "Show"}
            </button>
          )}
          <ThreadActions annotation={annotation} place={place} author={author} />
        </div>
      </div>
      {isFolded && <Summary annotation={annotation} />}
      {/* Stays while it is folded, so that a typed reply does. */}
      <div id={contentId} hidden={isFolded}>
        {assignedTo && <p class="quiet assigned">Assigned to {assignedTo.name || assignedTo.userId}</p>}
        {comments.length === 0 && (
          <p class="quiet">
            {from.name || from.userId} marked this place {createdAt && <Time at={createdAt} />}. It has no comment yet.
          </p>
        )}
        <ul class="comments" aria-label={`Comments of ${annotationId}`}>
          {comments.map((comment) => (
            <CommentView
              key={comment.commentId}
              comment={comment}
              thread={{ ...place, annotationId }}
              author={author}
            />
          ))}
        </ul>
        <Reply annotationId={annotationId} place={place} />
      </div>
    </Changed>
  );
}

/** "Carol Silva: The price is final." Undefined: the thread has no comment. */
function beginningOf({ comments: [first] = [] }: Annotation): string | undefined {
  return first && `${first.from.name || first.from.userId}: ${first.text ?? ""}`;
}

/** "Page 2, Price, Carol Silva: The price is final.", as long as a screen reader should read it. */
const labelOf = (annotation: Annotation): string =>
  [locationText(annotation.location), beginningOf(annotation)].filter(Boolean).join(", ").slice(0, labelLength);

/** "Carol Silva: The price is final. · 1 comment" */
function Summary({ annotation }: { annotation: Annotation }) {
  const beginning = beginningOf(annotation);
  return (
    <p class="quiet clip">
      {beginning !== undefined && `${beginning} · `}
      {plural(annotation.comments?.length ?? 0, "comment")}
    </p>
  );
}

function ThreadStatus({ status }: { status: string }) {
  const tone = status === "RESOLVED" ? "good" : status === "OPEN" ? "warn" : "busy";
  return <Status tone={tone}>{inWords(status)}</Status>;
}

function ThreadActions({ annotation, place, author }: ThreadProps & { author: PersonShown | undefined }) {
  const { annotationId } = annotation;
  const isDone = isResolved(annotation);
  const by = author && { actionUser: author };
  const setStatus = (attempt: Try) => {
    const data = {
      ...place,
      annotationIds: [annotationId],
      update: { status: isDone ? "OPEN" : "RESOLVED" },
      ...by,
    };
    return change("v2/commentannotations/update", data, attempt);
  };
  const remove = async (attempt: Try) => {
    const data = { ...place, kind: "comments", ids: [annotationId], ...by };
    await change("v2/organizations/documents/data/delete", data, attempt);
    discardThread(place, annotationId);
  };
  return (
    <div class="row">
      <Action scope="write" run={setStatus} done={isDone ? "Reopened." : "Resolved."}>
        {isDone ? "Reopen" : "Resolve"}
      </Action>
      <Action
        scope="write"
        tone="bare"
        run={remove}
        done="Thread deleted."
        ask={{
          title: "Delete this thread?",
          text: "The thread goes with all its comments. Nobody can bring it back.",
          confirm: "Delete thread",
        }}
      >
        Delete thread
      </Action>
    </div>
  );
}

function Reply({ annotationId, place }: { annotationId: string; place: DocumentPlace }) {
  const send = (attempt: Try, written: Written) => {
    const { text, from } = written;
    const commentId = attempt.kept(["comment", annotationId, from, text], () => crypto.randomUUID());
    const data = { ...place, annotationId, comments: [{ commentId, ...written }], actionUser: from };
    return change("v2/commentannotations/comments/add", data, attempt);
  };
  return <WriteForm at={{ ...place, annotationId }} label="Reply" action="Reply" done="Reply added." send={send} />;
}
