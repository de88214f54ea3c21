// One read while Lambda initialises: the processor is not throttled then, so TLS and the SDK's first request cost a
// fraction of what they would in the first call. Only the generated bundle entry calls this.
import { keys } from "../store/keys.ts";
import * as Table from "./table.ts";

const patienceMs = 1_000;

/** Never fails and never takes longer than a second. */
export async function warmUp(): Promise<void> {
  const patience = new Promise((resolve) => setTimeout(resolve, patienceMs).unref());
  const read = Table.getEventually(keys.workspace("-")).catch(() => undefined);
  await Promise.race([read, patience]);
}
