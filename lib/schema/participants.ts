// Who takes part in feature data. In a file of its own, because a bundle that imports a file contains all schemas of the
// file.
import type { FeatureKind } from "./feature-kinds.ts";

interface Named {
  userId: string;
}

interface Annotation {
  from: Named;
  assignedTo?: Named | undefined;
  comments?: { from: Named; taggedUsers?: Named[] | undefined }[] | undefined;
}

function peopleOf({ from, assignedTo, comments = [] }: Annotation): string[] {
  const authors = comments.flatMap((comment) => [comment.from, ...(comment.taggedUsers ?? [])]);
  return [...new Set([from, ...(assignedTo ? [assignedTo] : []), ...authors].map(({ userId }) => userId))];
}

/** Ids of the users who take part in an item; in an annotation: author, repliers, mentioned and assigned users. */
export const participantsOf = {
  comments: peopleOf,
  reactions: ({ from }: { from: Named }) => [from.userId],
  recordings: ({ from }: { from: Named }) => [from.userId],
} satisfies Record<FeatureKind, unknown>;
