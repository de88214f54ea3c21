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
    let found = false;
    for (const uid of payload.uids as string[]) {
      for await (const items of Table.all<Table.Item>({ pk: keys.documentData(workspace, uid) })) {
        await removeAll(items);
        found = true;
        if (Date.now() > until) return { again: { payload: { uids: payload.uids }, delaySeconds: 0 } };
      }
    }
    if (payload.hasPassed && !found) return "done";
    return { again: { payload: { uids: payload.uids, hasPassed: true }, delaySeconds: secondPassSeconds } };
  },
});
export const handler = queueLambda(purge);
