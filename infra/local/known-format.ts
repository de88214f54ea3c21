import { FormatError, requireFormat } from "../../lib/store/format.ts";
import { StartError } from "./start-error.ts";

/** Checks the format of the stored data. A table without a number gets that of this code. Throws StartError for data of another format. */
export async function requireKnownFormat(): Promise<void> {
  await requireFormat().catch((cause: unknown) => {
    throw cause instanceof FormatError ? new StartError(cause.message, { cause }) : cause;
  });
}
