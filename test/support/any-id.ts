import fc from "./property.ts";

/** Ids that try to look like keys, and ids of every length up to 256 four-byte characters. */
export const anyId = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 256 }),
  fc.string({ unit: fc.constantFrom("#", "%", "~", "2", "3", "5", "O", "D", "U", "a"), minLength: 1, maxLength: 12 }),
  fc.string({ unit: fc.constantFrom("🦜", "#", "%"), minLength: 60, maxLength: 256 }),
  fc.constantFrom("__proto__", "constructor", "1", "W#w", "ORG", "o#D#d", "%23", "%2523", "%~abc"),
);
