import { useEffect, useRef } from "preact/hooks";
import { change } from "../api.ts";
import { Action, useChange } from "../components/action.tsx";
import { Failure } from "../components/failure.tsx";
import { LongField } from "../components/fields.tsx";
import { Person } from "../components/person.tsx";
import { Time } from "../components/time.tsx";
import { useRefusal } from "../session.ts";
import type { Try } from "../try.ts";
import { type Typed, useTyped } from "../typed.ts";
import type { Comment, DocumentPlace, PersonShown } from "../types.ts";

interface CommentProps {
  comment: Comment;
  thread: DocumentPlace & { annotationId: string };
  author: PersonShown | undefined;
}

export function CommentView({ comment, thread, author }: CommentProps) {
  const { commentId, from, text, createdAt, taggedUsers = [] } = comment;
  const { typed, begin, ...editing } = useTyped({ ...thread, commentId });
  const isEditing = typed !== undefined;
  /** A form that was left open keeps the focus where it is when the reader comes back. */
  const hasBegun = useRef(false);
  const edit = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    // The reader may have gone to another field while the text was saved.
    const isFocusLost = document.activeElement === document.body;
    if (wasEditing.current && !isEditing && isFocusLost) edit.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
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
        <Edit
          comment={comment}
          thread={thread}
          author={author}
          typed={typed}
          hasFocus={hasBegun.current}
          {...editing}
        />
      ) : (
        <>
          <p class="text wrap">{text}</p>
          {taggedUsers.length > 0 && (
            <p class="more quiet">Mentions {taggedUsers.map(({ name, userId }) => name || userId).join(", ")}</p>
          )}
          <div class="row more">
            {!refusal && (
              <button
                ref={edit}
                type="button"
                class="bare"
                onClick={() => {
                  hasBegun.current = true;
                  begin(text ?? "");
                }}
              >
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

interface EditProps extends CommentProps {
  typed: Typed;
  /** At its beginning. */
  hasFocus: boolean;
  write(text: string): void;
  saved(text: string): void;
  end(): void;
}

function Edit({ comment, thread, author, typed, hasFocus, write, saved, end }: EditProps) {
  const { text, known, values } = typed;
  const stored = comment.text ?? "";
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (hasFocus) form.current?.querySelector("textarea")?.focus();
  }, []);
  const saving = useChange(values);
  const save = async (event?: Event) => {
    event?.preventDefault();
    if (saving.isBusy) return;
    known.add(text);
    const data = { ...thread, commentId: comment.commentId, text, ...(author && { actionUser: author }) };
    const work = (attempt: Try) => change("v2/commentannotations/comments/update", data, attempt);
    if (await saving.run(work, "Comment changed.")) saved(text);
  };
  return (
    <form ref={form} class="stack text" onSubmit={(event) => void save(event)}>
      {!known.has(stored) && stored !== text && (
        <p role="status" class="notice wrap">
          Somebody has changed this comment meanwhile. If you save, yours replaces it: “{stored}”
        </p>
      )}
      <LongField label="Text of the comment" value={text} onValue={write} />
      <div class="row">
        <button type="submit" class="main" aria-disabled={saving.isBusy ? "true" : undefined}>
          Save
        </button>
        <button type="button" onClick={end}>
          Cancel
        </button>
      </div>
      {saving.failure && <Failure failure={saving.failure} retry={() => void save()} />}
    </form>
  );
}
