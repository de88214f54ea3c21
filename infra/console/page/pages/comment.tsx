import { useRef, useState } from "preact/hooks";
import { change } from "../api.ts";
import { Action, useChange } from "../components/action.tsx";
import { Failure } from "../components/failure.tsx";
import { LongField } from "../components/fields.tsx";
import { Person } from "../components/person.tsx";
import { Time } from "../components/time.tsx";
import { useRefusal } from "../session.ts";
import type { Try } from "../try.ts";
import type { Comment, DocumentPlace, PersonShown } from "../types.ts";

interface CommentProps {
  comment: Comment;
  thread: DocumentPlace & { annotationId: string };
  author: PersonShown | undefined;
}

export function CommentView({ comment, thread, author }: CommentProps) {
  const { commentId, from, text, createdAt, taggedUsers = [] } = comment;
  const [isEditing, setEditing] = useState(false);
  const refusal = useRefusal("write");
  const by = author && { actionUser: author };
  const remove = (attempt: Try) =>
    change("v2/commentannotations/comments/delete", { ...thread, commentIds: [commentId], ...by }, attempt);
  return (
    <li class="comment">
      <div class="row">
        <Person person={from} organizationId={thread.organizationId} />
        {createdAt && <Time at={createdAt} />}
      </div>
      {isEditing ? (
        <Edit comment={comment} thread={thread} author={author} close={() => setEditing(false)} />
      ) : (
        <>
          <p class="text wrap">{text}</p>
          {taggedUsers.length > 0 && (
            <p class="more quiet">Mentions {taggedUsers.map(({ name, userId }) => name || userId).join(", ")}</p>
          )}
          <div class="row more">
            {!refusal && (
              <button type="button" class="bare" onClick={() => setEditing(true)}>
                Edit
              </button>
            )}
            <Action
              scope="write"
              tone="bare"
              run={remove}
              done="Comment deleted."
              label="Delete comment"
              ask={{ title: "Delete this comment?", text: "The thread stays.", confirm: "Delete comment" }}
            >
              Delete
            </Action>
          </div>
        </>
      )}
    </li>
  );
}

function Edit({ comment, thread, author, close }: CommentProps & { close: () => void }) {
  const [text, setText] = useState(comment.text ?? "");
  const typed = useRef(text);
  typed.current = text;
  const saving = useChange();
  const save = async (event?: Event) => {
    event?.preventDefault();
    const data = { ...thread, commentId: comment.commentId, text, ...(author && { actionUser: author }) };
    const work = (attempt: Try) => change("v2/commentannotations/comments/update", data, attempt);
    const isSaved = await saving.run(work, "Comment changed.");
    // The reader may have typed more meanwhile.
    if (isSaved && typed.current === text) close();
  };
  return (
    <form class="stack text" onSubmit={(event) => void save(event)}>
      <LongField label="Text of the comment" value={text} onValue={setText} />
      <div class="row">
        <button type="submit" class="main" disabled={saving.isBusy}>
          Save
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
      {saving.failure && <Failure failure={saving.failure} retry={() => void save()} />}
    </form>
  );
}
