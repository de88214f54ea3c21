import type { ComponentChildren } from "preact";
import { useChange } from "../components/action.tsx";
import { Failure } from "../components/failure.tsx";
import { LongField } from "../components/fields.tsx";
import { useRefusal } from "../session.ts";
import type { Try } from "../try.ts";
import { type Typed, type TypedAt, useTyped } from "../typed.ts";
import type { PersonShown } from "../types.ts";
import { useUsers } from "../users.ts";
import { mentionsIn } from "./mentions.ts";
import { useAuthor } from "./write-as.tsx";

/** A comment as the API takes it, without its id. */
export interface Written {
  text: string;
  from: PersonShown;
  taggedUsers: PersonShown[];
}

interface WriteFormProps {
  at: TypedAt;
  /** Stored with the text. */
  where?: Typed["where"];
  /** What is written, such as "Reply". */
  label: string;
  /** Of the button. */
  action: string;
  /** Announced when it is done. */
  done: string;
  send: (attempt: Try, written: Written) => Promise<unknown>;
  /** Further fields. */
  children?: ComponentChildren;
}

/** Writes a text as a user, who can mention others. What is typed while the former text is sent stays. */
export function WriteForm({ at, where, label, action, done, send, children }: WriteFormProps) {
  const { organizationId } = at;
  const author = useAuthor(organizationId);
  const users = useUsers(organizationId).data ?? [];
  const { typed, write, sent } = useTyped(at);
  const text = typed?.text ?? "";
  const sending = useChange(typed?.values);
  const refusal = useRefusal("write") ?? (author ? undefined : "The organization has no user who can write.");
  const submit = async (event?: Event) => {
    event?.preventDefault();
    if (refusal || !author || !text.trim() || sending.isBusy) return;
    const work = (attempt: Try) =>
      send(
        attempt,
        attempt.kept(["written", text, author.userId], () => ({
          text,
          from: author,
          taggedUsers: mentionsIn(text, users),
        })),
      );
    if (await sending.run(work, done)) sent(text);
  };
  const mentioned = mentionsIn(text, users);
  return (
    <form class="reply" onSubmit={(event) => void submit(event)}>
      <LongField
        label={author ? `${label} as ${author.name || author.userId}` : label}
        value={text}
        onValue={(value) => write(value, where)}
      />
      {mentioned.length > 0 && (
        <p class="quiet">Mentions {mentioned.map(({ name, userId }) => name || userId).join(", ")}</p>
      )}
      {children}
      <button
        type="submit"
        class="main"
        title={refusal}
        aria-disabled={refusal || !text.trim() || sending.isBusy ? "true" : undefined}
      >
        {action}
      </button>
      {sending.failure && <Failure failure={sending.failure} retry={() => void submit()} />}
    </form>
  );
}
