// The basic types of wire schemas. No transforms: a schema is also the API's documentation.
import * as z from "zod/mini";
import {
  mustBeFlag,
  mustBeId,
  mustBeList,
  mustBeString,
  mustHaveAtMost,
  mustHaveAtMostCharacters,
  mustNotBeEmpty,
  mustNotBeNegative,
} from "./messages.ts";

/** Counts Unicode characters, not UTF-16 units: 256 emoji are 256 characters. */
const idCharactersMax = 256;
const stringBytesMax = 65_536;
/** Maximum items of a bulk call (DECISIONS.md#bounds-of-bulk-calls). */
export const bulkMax = 1_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: this pattern refuses them
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/;

/** An id that a client chose. It belongs to the client: it is compared exactly, and never trimmed or normalised. */
export const Id = z.string(mustBeId).check(
  z.refine((id) => id.length > 0 && (id.length <= idCharactersMax || [...id].length <= idCharactersMax), {
    error: "Must have 1 to 256 characters.",
  }),
  z.refine((id) => !controlCharacters.test(id), { error: "Must not contain control characters." }),
  z.meta({ minLength: 1, maxLength: idCharactersMax }),
);

/** Free text: at most 64 KB of UTF-8. */
export const Text = z.string(mustBeString).check(
  z.refine((text) => text.length * 3 <= stringBytesMax || Buffer.byteLength(text) <= stringBytesMax, {
    error: "Must have at most 65,536 bytes.",
  }),
  // The documentation adds `limit` to the description of each field.
  z.meta({ limit: "At most 65,536 bytes of UTF-8." }),
);

/** Free text that is not empty. */
export const NonEmptyText = Text.check(z.minLength(1, mustNotBeEmpty));

/**
 * Text of at most `charactersMax` that matches a pattern. The pattern does not read a longer text: V8 throws when a
 * pattern with a group reads megabytes.
 */
export const matching = (pattern: RegExp, charactersMax: number, message: string) =>
  z.string(mustBeString).check(
    z.maxLength(charactersMax, mustHaveAtMostCharacters(charactersMax)),
    z.refine((text) => text.length > charactersMax || pattern.test(text), message),
    z.meta({ pattern: pattern.source }),
  );

/** 1 to `max` entries. */
export function listOf<Entry extends z.ZodMiniType>(entry: Entry, max = bulkMax) {
  return z.array(entry, mustBeList).check(z.minLength(1, mustNotBeEmpty), z.maxLength(max, mustHaveAtMost(max)));
}

/** 1 to `max` ids. The caller treats repeated ids as one. */
export const ids = (max = bulkMax) => listOf(Id, max);

/** Validation removes nulls, so the handler gets `undefined` for null and absent. */
export const optional = z.optional;

export const Flag = z.boolean(mustBeFlag);

export const AlwaysTrue = z.literal(true).check(z.describe("Always true."));

/** A time that the service made, in a reply. */
export const IsoTime = z.string().check(z.meta({ format: "date-time" }));

export const CreatedAt = IsoTime.check(z.describe("When it was created."));

/**
 * Unix time in seconds. A fraction is dropped, so that `Date.now() / 1_000` is a time. A value above 1e11 is refused: it
 * is probably in milliseconds.
 */
export const UnixSeconds = z.number("Must be a number of seconds since 1970.").check(
  z.overwrite(Math.floor),
  z.nonnegative(mustNotBeNegative),
  z.refine((seconds) => seconds <= 1e11, { error: "Must be in seconds, not milliseconds." }),
  z.meta({ maximum: 1e11 }),
);

export const AccessRole = z
  .enum(["viewer", "editor"], 'Must be "viewer" or "editor".')
  .check(z.describe("viewer: read only. editor: read and write. Default of a grant: editor."));
export type AccessRole = z.output<typeof AccessRole>;

/** The limit of a stored record, serialized (DECISIONS.md#sizes). */
export const recordBytesMax = 256 * 1_024;

export const AccessType = z
  .enum(["organizationPrivate", "restricted", "public"], 'Must be "organizationPrivate", "restricted" or "public".')
  .check(
    z.describe(
      "Who has access without a grant. organizationPrivate: the organization's members. restricted: users with a grant on it or on a folder above " +
        "it. public: everyone, as viewer. A folder's access type overrides the access type of its documents.",
    ),
  );
export type AccessType = z.output<typeof AccessType>;

/** Distinct ids in the order given. */
export function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}

/** Refuses a text for which `problemOf` returns a message. The message is an issue like the issues of other fields. */
export const mustHaveNo = (problemOf: (text: string) => string | undefined) =>
  z.check<string>(({ value, issues }) => {
    const problem = problemOf(value);
    if (problem) issues.push({ code: "custom", input: value, message: problem });
  });
