// The words that wire schemas are written in. No transforms: a schema is also the API's documentation.
import * as z from "zod/mini";

/** Unicode characters, not UTF-16 units: an id of 256 emoji is an id of 256 characters. */
const idCharactersMax = 256;
const stringBytesMax = 65_536;
/** Items of a bulk call (decision T10). */
export const bulkMax = 1_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/;

/** A client's name for something: compared exactly, never folded, trimmed or normalised (decision T8). */
export const Id = z.string("Must be a string of 1 to 256 characters.").check(
  z.refine((id) => id.length > 0 && (id.length <= idCharactersMax || [...id].length <= idCharactersMax), {
    error: "Must have 1 to 256 characters.",
  }),
  z.refine((id) => !controlCharacters.test(id), { error: "Must not contain control characters." }),
  z.meta({
    description: "1 to 256 characters of Unicode without control characters, compared exactly.",
    minLength: 1,
    maxLength: idCharactersMax,
  }),
);

/** Free text: at most 64 KB of UTF-8. */
export const Text = z.string("Must be a string.").check(
  z.refine((text) => text.length * 3 <= stringBytesMax || Buffer.byteLength(text) <= stringBytesMax, {
    error: "Must have at most 65,536 bytes.",
  }),
  z.describe("At most 65,536 bytes of UTF-8."),
);

/** Free text that says something. */
export const NonEmptyText = Text.check(z.minLength(1, "Must not be empty."));

/** 1 to `max` entries. */
export function listOf<Entry extends z.ZodMiniType>(entry: Entry, max = bulkMax) {
  return z
    .array(entry, "Must be a list.")
    .check(z.minLength(1, "Must not be empty."), z.maxLength(max, `Must have at most ${max} entries.`));
}

/** 1 to `max` ids; a repeated id is one item. */
export const ids = (max = bulkMax) => listOf(Id, max);

/** Absent and null are the same (decision T2). The handler sees `undefined` for both: the kernel drops nulls. */
export const optional = z.optional;

export const Flag = z.boolean("Must be true or false.");

/** Unix time in seconds; what lies beyond 1e11 was meant in milliseconds (decision T9). */
export const UnixSeconds = z.int("Must be a whole number of seconds since 1970.").check(
  z.nonnegative("Must not be negative."),
  z.refine((seconds) => seconds <= 1e11, { error: "Must be in seconds, not milliseconds." }),
  z.meta({ description: "Unix time in seconds; a past one has ended.", maximum: 1e11 }),
);

export const AccessRole = z
  .enum(["viewer", "editor"], 'Must be "viewer" or "editor".')
  .check(z.describe("viewer: read only. editor: read and write. Where a grant names none: editor."));
export type AccessRole = z.output<typeof AccessRole>;

export const AccessType = z
  .enum(["organizationPrivate", "restricted", "public"], 'Must be "organizationPrivate", "restricted" or "public".')
  .check(
    z.describe(
      "organizationPrivate: the organization's members. restricted: who has a grant on it or on a folder above it. " +
        "public: everyone, as viewer. A folder's wins over that of what lies in it.",
    ),
  );
export type AccessType = z.output<typeof AccessType>;

export const PageSize = z
  .int("Must be a whole number from 1 to 100.")
  .check(
    z.minimum(1, "Must be at least 1."),
    z.maximum(100, "Must be at most 100."),
    z.describe("Entries of one page; a page can have fewer although more follow."),
  );

export const PageToken = z
  .string("Must be a page token.")
  .check(z.maxLength(8_192, "Is no page token."), z.describe("nextPageToken of the page before, for the same list."));

/** Distinct ids in the order given. */
export function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
