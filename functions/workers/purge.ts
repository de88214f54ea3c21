import { removeAll } from "../../lib/store/commit.ts";
import { keys } from "../../lib/store/keys.ts";
import * as Table from "../../lib/store/table.ts";
import { worker } from "../../lib/worker.ts";
import { queueLambda } from "../../lib/worker-lambda.ts";

/** After this, no call that read a document's pointer before its deletion can still be writing under its uid. */
const secondPassSeconds = 60;

export const purge = worker({
  name: "purge",
  jobs: "purge",
  summary: "Removes what hung from deleted documents, then looks again for what raced the deletion.",
  grants: ["table:read", "table:write", "table:purge", "queue:purge"],

  async run({ workspace, payload }, until) {
    // A message can come twice, and its copy at once.
    const early = Number(payload.secondPassAt ?? 0) - Date.now();
    if (early > 0) return { again: { payload, delaySeconds: Math.ceil(early / 1_000) } };
    let found = false;
    for (const uid of payload.uids as string[]) {
      for await (const items of Table.all<Table.Item>({ pk: keys.documentData(workspace, uid) })) {
        await removeAll(items);
        found = true;
        if (Date.now() > until) return { again: { payload: { uids: payload.uids }, delaySeconds: 0 } };
      }
    }
    if (payload.secondPassAt && !found) return "done";
    const secondPassAt = Date.now() + secondPassSeconds * 1_000;
    return { again: { payload: { uids: payload.uids, secondPassAt }, delaySeconds: secondPassSeconds } };
  },
});
export const handler = queueLambda(purge);
