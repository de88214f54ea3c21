import { Copy } from "../components/copy.tsx";
import { discard, type Typed, useAllTyped } from "../typed.ts";
import type { Annotation, DocumentPlace } from "../types.ts";

interface UnsentProps {
  place: DocumentPlace;
  listed: readonly Annotation[];
  /** Whether the list goes on. */
  hasMore: boolean;
}

/** What the reader has typed and not sent, where its thread or comment is not in the list. */
export function Unsent({ place, listed, hasMore }: UnsentProps) {
  const texts = useAllTyped(place).filter((typed) => !isListed(typed, listed));
  return (
    <>
      {texts.map(({ at, text }) => (
        <div key={`${at.annotationId} ${at.commentId}`} role="status" class="notice stack">
          <p>
            <strong>{at.commentId ? "Your change is not saved. " : "Your reply is not sent. "}</strong>
            Its {at.commentId ? "comment" : "thread"} is not shown: {hasMore && "it is further down, "}somebody has
            deleted it, or the filters leave it out.
          </p>
          <p class="text wrap">{text}</p>
          <div class="row">
            <Copy text={text} />
            <button type="button" class="bare" onClick={() => discard(at)}>
              Discard
            </button>
          </div>
        </div>
      ))}
    </>
  );
}

function isListed({ at: { annotationId, commentId } }: Typed, listed: readonly Annotation[]): boolean {
  if (annotationId === undefined) return true;
  const thread = listed.find((each) => each.annotationId === annotationId);
  if (!thread || commentId === undefined) return thread !== undefined;
  return thread.comments?.some((comment) => comment.commentId === commentId) ?? false;
}
