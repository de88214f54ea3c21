// Feature data: comment annotations, reactions and recordings. What is added is what an export returns, which says
// beside it where the item is now. Fields that are not listed here are dropped; `metadata` is the client's own.
import * as z from "zod/mini";
import type { FeatureKind } from "../store/data-keys.ts";
import { hasLongText } from "./free-form.ts";
import { bulkMax, distinct, Id, optional, Text } from "./primitives.ts";

const recordBytesMax = 262_144;
const participantsMax = 90;
/** One event can follow from each, and they go into one transaction. */
const repliesMax = 200;

const Person = z.object({ userId: Id, name: optional(Text), email: optional(Text) }, "Must be an object.");

const Timestamp = z.string("Must be a string.").check(
  z.refine((text) => text.length <= 40 && /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text)), {
    error: "Must be an ISO 8601 time.",
  }),
  z.describe("ISO 8601; kept as given."),
);

const Metadata = z.record(z.string(), z.unknown(), "Must be an object.").check(
  z.refine((fields) => !hasLongText(fields), { error: "A text in it has over 65,536 bytes." }),
  z.describe("The client's own fields, kept as given."),
);

const common = {
  from: Person,
  createdAt: optional(Timestamp),
  updatedAt: optional(Timestamp),
  metadata: optional(Metadata),
};

const Comment = z.object(
  {
    commentId: Id,
    ...common,
    text: optional(Text),
    taggedUsers: optional(
      z.array(Person, "Must be a list.").check(z.maxLength(participantsMax, "Has too many entries.")),
    ),
  },
  "Must be an object.",
);

const shapes = {
  comments: {
    annotationId: Id,
    ...common,
    status: optional(Text),
    priority: optional(Text),
    assignedTo: optional(Person),
    comments: optional(
      z.array(Comment, "Must be a list.").check(z.maxLength(repliesMax, `Must have at most ${repliesMax} entries.`)),
    ),
  },
  reactions: {
    reactionId: Id,
    ...common,
    icon: optional(Text),
    annotationId: optional(Id),
    commentId: optional(Id),
  },
  recordings: {
    recordingId: Id,
    ...common,
    type: optional(Text),
    name: optional(Text),
    url: optional(Text),
    transcript: optional(Text),
    durationSeconds: optional(z.number("Must be a number.").check(z.nonnegative("Must not be negative."))),
  },
};

/** Where an item is now. */
const place = { organizationId: z.string(), documentId: z.string(), location: z.record(z.string(), z.unknown()) };

/** What an export returns of each kind. */
export const Exported = {
  comments: z.object({ ...shapes.comments, ...place }),
  reactions: z.object({ ...shapes.reactions, ...place }),
  recordings: z.object({ ...shapes.recordings, ...place }),
};

const CommentAnnotation = z.object(shapes.comments, "Must be an object.");
const Reaction = z.object(shapes.reactions, "Must be an object.");
const Recording = z.object(shapes.recordings, "Must be an object.");
export type CommentAnnotation = z.output<typeof CommentAnnotation>;
export type Reaction = z.output<typeof Reaction>;
export type Recording = z.output<typeof Recording>;

function peopleOf({ from, assignedTo, comments = [] }: CommentAnnotation): string[] {
  const authors = comments.flatMap((comment) => [comment.from, ...(comment.taggedUsers ?? [])]);
  return distinct([from, ...(assignedTo ? [assignedTo] : []), ...authors].map(({ userId }) => userId));
}

/** Whose history has the item: of an annotation its author, repliers, mentioned and assigned users. */
export const participantsOf = {
  comments: peopleOf,
  reactions: ({ from }: Reaction) => [from.userId],
  recordings: ({ from }: Recording) => [from.userId],
} satisfies Record<FeatureKind, unknown>;

const isSmall = z.refine<object>((item) => Buffer.byteLength(JSON.stringify(item)) <= recordBytesMax, {
  error: "Must have at most 262,144 bytes as JSON.",
});
const isOfFew = z.refine<CommentAnnotation>((annotation) => peopleOf(annotation).length <= participantsMax, {
  error: `Must have at most ${participantsMax} participants: author, repliers, mentioned and assigned users.`,
});

const upTo = <Entry extends z.ZodMiniType>(entry: Entry) =>
  optional(z.array(entry, "Must be a list.").check(z.maxLength(bulkMax, `Must have at most ${bulkMax} entries.`)));

/** The three lists of a request. */
export const Features = {
  comments: upTo(CommentAnnotation.check(isSmall, isOfFew)),
  reactions: upTo(Reaction.check(isSmall)),
  recordings: upTo(Recording.check(isSmall)),
};
export interface Features {
  comments?: CommentAnnotation[] | undefined;
  reactions?: Reaction[] | undefined;
  recordings?: Recording[] | undefined;
}

const countOf = ({ comments = [], reactions = [], recordings = [] }: Features) =>
  comments.length + reactions.length + recordings.length;

export const someFeatures = z.refine<Features>((data) => countOf(data) > 0, {
  error: "Give comments, reactions or recordings.",
});
export const fewFeatures = z.refine<Features>(
  // A list that is too long alone has said so.
  (data) =>
    countOf(data) <= bulkMax || Object.values(data).some((each) => Array.isArray(each) && each.length > bulkMax),
  { error: `Must have at most ${bulkMax} comments, reactions and recordings together.` },
);
