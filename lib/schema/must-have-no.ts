// A check of a string. Its error message depends on the string.
import * as z from "zod/mini";

/** Refuses a text for which `problemOf` returns a message. The message is an issue like the issues of other fields. */
export const mustHaveNo = (problemOf: (text: string) => string | undefined) =>
  z.check<string>(({ value, issues }) => {
    const problem = problemOf(value);
    if (problem) issues.push({ code: "custom", input: value, message: problem });
  });
