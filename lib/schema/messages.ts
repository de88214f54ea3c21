// Validation messages that several schemas share.

export const mustBeObject = "Must be an object.";
export const mustBeList = "Must be a list.";
export const mustBeString = "Must be a string.";
export const mustBeFlag = "Must be true or false.";
export const mustBePositive = "Must be a positive whole number.";
export const mustBeIsoTime = "Must be an ISO 8601 time, of a date that exists.";
export const mustBeId = "Must be a string of 1 to 256 characters.";
export const mustHaveAccess = "Must be an object with the field access.";
export const mustNotBeEmpty = "Must not be empty.";
export const mustNotBeNegative = "Must not be negative.";

export const mustBeAtLeast = (minimum: number) => `Must be at least ${minimum}.`;
export const mustHaveAtMost = (entries: number) => `Must have at most ${entries} entries.`;
export const mustHaveAtMostCharacters = (characters: number) => `Must have at most ${characters} characters.`;
