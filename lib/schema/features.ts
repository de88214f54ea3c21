// Feature data are comment annotations, reactions and recordings. An export returns an item as it was added, with its
// current document and location. Fields that are not listed here are dropped. `metadata` can have any fields.
import * as z from "zod/mini";
import { featureKinds } from "./feature-kinds.ts";
import { AnnotationId, CommentId, DocumentId, OrganizationId, ReactionId, RecordingId } from "./fields.ts";
import { actor, unsentByUsers } from "./for-users.ts";
import { isIsoTime } from "./iso-time.ts";
import { ShownLocation } from "./location.ts";
import { mustBeList, mustBeObject, mustBeString, mustHaveAtMost, mustNotBeNegative } from "./messages.ts";
import { participantsOf } from "./participants.ts";
import { NamedPerson, Person } from "./person.ts";
import { bulkMax, Id, optional, recordBytesMax, Text } from "./primitives.ts";
import { whenValid } from "./when-valid.ts";

export const participantsMax = 80;
/** Each reply can cause an event, and the events of one item are written in one transaction. */
export const repliesMax = 200;

export const Timestamp = z.string(mustBeString).check(
  z.refine((text) => text.length <= 40 && /^\d{4}-\d\d-\d\dT/.test(text) && isIsoTime(text), {
    error: "Must be an ISO 8601 time with a time of day, of a date that exists.",
  }),
  z.meta({ limit: "ISO 8601; kept as given." }),
);

/** Whether a text at any depth has more than 64 KB. */
function hasLongText(value: unknown): boolean {
  if (typeof value === "string") return !Text.safeParse(value).success;
  return typeof value === "object" && value !== null && Object.values(value).some(hasLongText);
}

export const Metadata = z.record(z.string(), z.unknown(), mustBeObject).check(
  z.refine((fields) => !hasLongText(fields), { error: "Must not have a string over 65,536 bytes." }),
  z.describe("The client's own fields, kept as given."),
);

export const Kind = z
  .enum(featureKinds, 'Must be "comments", "reactions" or "recordings".')
  .check(z.describe("Which of the three kinds."));

const common = {
  from: actor(Person.check(z.describe("The user who wrote it."))),
  createdAt: unsentByUsers(
    optional(Timestamp).check(
      z.describe("When it was created. Lists of items are ordered by it, or else by the time of the call."),
    ),
  ),
  updatedAt: unsentByUsers(optional(Timestamp).check(z.describe("When it was last changed."))),
  metadata: optional(Metadata),
};

export const Comment = z.object(
  {
    commentId: CommentId,
    ...common,
    text: optional(Text).check(z.describe("The text.")),
    taggedUsers: optional(
      z.array(NamedPerson, mustBeList).check(z.maxLength(participantsMax, mustHaveAtMost(participantsMax))),
    ).check(z.describe("The users whom the comment mentions. They get a message if they want it.")),
  },
  mustBeObject,
);

export type Comment = z.output<typeof Comment>;

const shapes = {
  comments: {
    annotationId: AnnotationId,
    ...common,
    status: optional(Text).check(
      z.describe(
        "The status. Messages and the console know OPEN, IN_PROGRESS and RESOLVED: a resolved thread. Any other word is kept as it is.",
      ),
    ),
    priority: optional(Text).check(z.describe("The priority, in your words, such as P1.")),
    assignedTo: optional(NamedPerson).check(z.describe("The user who is to deal with it.")),
    comments: optional(z.array(Comment, mustBeList).check(z.maxLength(repliesMax, mustHaveAtMost(repliesMax)))).check(
      z.describe("The comments of the annotation, the oldest first."),
    ),
  },
  reactions: {
    reactionId: ReactionId,
    ...common,
    icon: optional(Text).check(z.describe("What the reaction is, such as an emoji.")),
    annotationId: optional(Id).check(
      z.describe("The comment annotation that it reacts to. Absent: it reacts to the location."),
    ),
    commentId: optional(Id).check(
      z.describe("The comment that it reacts to. Absent: it reacts to the whole annotation."),
    ),
  },
  recordings: {
    recordingId: RecordingId,
    ...common,
    type: optional(Text).check(z.describe("The kind of the recording, in your words, such as video.")),
    name: optional(Text).check(z.describe("The name to show for the recording.")),
    url: optional(Text).check(z.describe("Where the recording is. The service does not load it.")),
    transcript: optional(Text).check(z.describe("What is said in the recording.")),
    durationSeconds: optional(z.number("Must be a number.").check(z.nonnegative(mustNotBeNegative))).check(
      z.describe("The length of the recording, in seconds."),
    ),
  },
};

/** Where an item is now. */
const currentPlace = { organizationId: OrganizationId, documentId: DocumentId, location: ShownLocation };

/** The items of each kind in an export. */
export const Exported = {
  comments: z.object({ ...shapes.comments, ...currentPlace }),
  reactions: z.object({ ...shapes.reactions, ...currentPlace }),
  recordings: z.object({ ...shapes.recordings, ...currentPlace }),
};

export const CommentAnnotation = z.object(shapes.comments, mustBeObject);
export const Reaction = z.object(shapes.reactions, mustBeObject);
export const Recording = z.object(shapes.recordings, mustBeObject);
export type CommentAnnotation = z.output<typeof CommentAnnotation>;
export type Reaction = z.output<typeof Reaction>;
export type Recording = z.output<typeof Recording>;

const bytesOf = (item: object) => Buffer.byteLength(JSON.stringify(item));
const isSmall = z.refine<object>((item) => bytesOf(item) <= recordBytesMax, {
  error: "Must have at most 262,144 bytes as JSON.",
  when: whenValid(),
});
const hasFewParticipants = z.refine<CommentAnnotation>(
  (annotation) => participantsOf.comments(annotation).length <= participantsMax,
  {
    error: `Must have at most ${participantsMax} participants: author, repliers, mentioned and assigned users.`,
    when: whenValid("from", "assignedTo", "comments"),
  },
);

const annotationLimits = [
  { what: "comments", max: repliesMax, of: ({ comments = [] }: CommentAnnotation) => comments.length },
  {
    what: "participants",
    max: participantsMax,
    of: (annotation: CommentAnnotation) => participantsOf.comments(annotation).length,
  },
  { what: "bytes as JSON", max: recordBytesMax, of: bytesOf },
];

/** Why an annotation cannot grow to `after`; undefined: it can. If it exceeds a limit, it can become smaller. */
export function problemOf(before: CommentAnnotation, after: CommentAnnotation): string | undefined {
  const exceeded = annotationLimits.find(({ max, of }) => of(after) > max && of(after) > of(before));
  return exceeded && `The comment annotation would have more than ${exceeded.max} ${exceeded.what}.`;
}

const bulkListOf = <Entry extends z.ZodMiniType>(entry: Entry) =>
  optional(z.array(entry, mustBeList).check(z.maxLength(bulkMax, mustHaveAtMost(bulkMax))));

/** The three lists of a request. */
export const Features = {
  comments: bulkListOf(CommentAnnotation.check(isSmall, hasFewParticipants)).check(
    z.describe("Comment annotations to add or replace. At most 1,000 items in all three lists together."),
  ),
  reactions: bulkListOf(Reaction.check(isSmall)).check(z.describe("Reactions to add or replace.")),
  recordings: bulkListOf(Recording.check(isSmall)).check(z.describe("Recordings to add or replace.")),
};
export interface Features {
  comments?: CommentAnnotation[] | undefined;
  reactions?: Reaction[] | undefined;
  recordings?: Recording[] | undefined;
}

const whenListsAreValid = whenValid("comments", "reactions", "recordings");

const countOf = ({ comments = [], reactions = [], recordings = [] }: Features) =>
  comments.length + reactions.length + recordings.length;

export const someFeatures = z.refine<Features>((data) => countOf(data) > 0, {
  error: "Give comments, reactions or recordings.",
  when: whenListsAreValid,
});

/** Of one call. Each participation is an entry of its own: 20,000 of them are written in about 250 transactions. */
export const participationsMax = 20_000;

function participationsOf({ comments = [], reactions = [], recordings = [] }: Features): number {
  const inComments = comments.reduce((sum, annotation) => sum + participantsOf.comments(annotation).length, 0);
  return inComments + reactions.length + recordings.length;
}

export const fewParticipations = z.refine<Features>((data) => participationsOf(data) <= participationsMax, {
  error: `Must have at most ${participationsMax} participants in all, a user counted once in each item.`,
  when: whenListsAreValid,
});

export const fewFeatures = z.refine<Features>(
  // A single list that is too long is reported by its own schema.
  (data) =>
    countOf(data) <= bulkMax || Object.values(data).some((each) => Array.isArray(each) && each.length > bulkMax),
  { error: `Must have at most ${bulkMax} comments, reactions and recordings together.`, when: whenListsAreValid },
);
