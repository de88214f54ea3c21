// A rule for one text, whose message depends on the text.
import * as z from "zod/mini";

/** Refuses a text for which `problemOf` returns a message, as one issue among those of the other fields. */
export const mustHaveNo = (problemOf: (text: string) => string | undefined) =>
  z.check<string>(({ value, issues }) => {
    const problem = problemOf(value);
    if (problem) issues.push({ code: "custom", input: value, message: problem });
  });
