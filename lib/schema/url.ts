// The check of an address that the service will call. A host name is resolved only when it is called.
import * as z from "zod/mini";
import { checkUrl } from "../net/url.ts";

/** Refuses a text for which `problemOf` returns a message, as one issue among those of the other fields. */
export const mustHaveNo = (problemOf: (text: string) => string | undefined) =>
  z.check<string>(({ value, issues }) => {
    const problem = problemOf(value);
    if (problem) issues.push({ code: "custom", input: value, message: problem });
  });

/** Refuses a URL that cannot be called. */
export const mustBeCallable = mustHaveNo(checkUrl);
