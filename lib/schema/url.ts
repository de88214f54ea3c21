// The check of an address that the service will call. A host name is resolved only when it is called.
import * as z from "zod/mini";
import { checkUrl } from "../net/url.ts";

/** Refuses a URL that cannot be called, as one issue among those of the other fields. */
export const mustBeCallable = z.check<string>(({ value, issues }) => {
  const problem = checkUrl(value);
  if (problem) issues.push({ code: "custom", input: value, message: problem });
});
