import { FormatError, requireFormat } from "../../lib/store/format.ts";
import { StartError } from "./start-error.ts";

/** Writes the format number of this code into a table that has none. Throws StartError for data of another format. */
export async function requireKnownFormat(): Promise<void> {
  await requireFormat().catch((cause: unknown) => {
    throw cause instanceof FormatError ? new StartError(cause.message, { cause }) : cause;
  });
}
