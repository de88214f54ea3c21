import { emptyPartition } from "../../lib/purge.ts";
import { worker } from "../../lib/worker.ts";
import { queueLambda } from "../../lib/worker-lambda.ts";

/** After this, no call that read a document's pointer before its deletion can still be writing under its uid. */
const secondPassSeconds = 60;

export const purge = worker({
  name: "purge",
  jobs: "purge",
  summary: "Removes what hung from deleted documents and locations, then looks again for what raced the deletion.",
  grants: ["table:read", "table:write", "table:batch", "queue:purge"],

  async run({ workspace, payload }, until) {
    // A message can come twice, and its copy at once.
    const early = Number(payload.secondPassAt ?? 0) - Date.now();
    if (early > 0) return { again: { payload, delaySeconds: Math.ceil(early / 1_000) } };
    const partitions = payload.partitions as string[];
    let found = false;
    for (const pk of partitions) {
      const emptied = await emptyPartition(workspace, pk, until);
      found ||= emptied.found;
      if (!emptied.isDone) return { again: { payload: { partitions }, delaySeconds: 0 } };
    }
    if (payload.secondPassAt && !found) return "done";
    const secondPassAt = Date.now() + secondPassSeconds * 1_000;
    return { again: { payload: { partitions, secondPassAt }, delaySeconds: secondPassSeconds } };
  },
});
export const handler = queueLambda(purge);
