import { FormatError, requireFormat } from "../../lib/store/format.ts";
import { StartError } from "./start-error.ts";

/** Checks the format of the stored data, and marks a new table. Throws StartError for data of another format. */
export async function requireKnownFormat(): Promise<void> {
  await requireFormat().catch((cause: unknown) => {
    if (!(cause instanceof FormatError)) throw cause;
    const hint = "Use the version of the service that wrote it, or other data (--data, --stack).";
    throw new StartError(`${cause.message} ${hint}`, { cause });
  });
}
