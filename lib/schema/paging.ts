// The fields of a request for one page of a list, and of its reply.
import * as z from "zod/mini";
import { mustBeAtLeast } from "./messages.ts";
import { optional } from "./primitives.ts";

/** Entries of a page, unless the request says otherwise or names them by their ids. */
export const pageSizeDefault = 50;

export const UpTo100 = z
  .int("Must be a whole number from 1 to 100.")
  .check(z.minimum(1, mustBeAtLeast(1)), z.maximum(100, "Must be at most 100."));

export const PageSize = UpTo100.check(
  z.describe(
    `Entries per page. Default: ${pageSizeDefault}, and in a request with ids, as many as it names. A page can have fewer entries although more follow. It can even be empty, if it had to skip many deleted or expired entries.`,
  ),
);

export const PageToken = z
  .string("Must be a page token.")
  .check(
    z.maxLength(8_192, "Is not a page token."),
    z.describe("nextPageToken of the previous page of the same list. Empty: the first page."),
  );

export const pageRequest = { pageSize: optional(PageSize), pageToken: optional(PageToken) };
export const pageReply = {
  nextPageToken: z
    .nullable(z.string())
    .check(z.describe("Send it as pageToken to get the next page. null: this page is the last one.")),
};
