import { followGrants } from "../../lib/content/follow-grants.ts";
import { complete, switchIds } from "../../lib/content/migrate.ts";
import { purgeJob } from "../../lib/deletion/purge.ts";
import * as Table from "../../lib/dynamodb/table.ts";
import { queueLambda } from "../../lib/jobs/lambda.ts";
import { worker } from "../../lib/jobs/worker.ts";
import { keys } from "../../lib/store/keys.ts";
import * as Owner from "../../lib/store/owner.ts";

/** After this, no call that read the new id's reservation before the switch can still be giving grants under it. */
const secondPassSeconds = 60;

export const migrate = worker({
  name: "migrate",
  jobs: "migrate",
  summary: "Switches a document to its new id, then brings along the grants that were given to that id before.",
  grants: ["table:read", "table:write", "table:delete", "queue:migrate", "queue:purge"],

  async run({ workspace, payload }, until) {
    // A message can come twice, and its copy at once.
    const early = Number(payload.secondPassAt ?? 0) - Date.now();
    if (early > 0) return { again: { payload, delaySeconds: Math.ceil(early / 1_000) } };
    const { organizationId, migrationId } = payload as Record<string, string>;
    const migration = await switchIds(workspace, organizationId as string, migrationId as string);
    if (!migration?.reservedUid) return "done";
    const { uid, reservedUid } = migration;
    const after = await followGrants(workspace, [reservedUid, uid], payload.after as string | undefined, until);
    if (after !== undefined) return { again: { payload: { ...payload, after }, delaySeconds: 0 } };
    await complete(workspace, organizationId as string, migration);
    if (!payload.secondPassAt) {
      const secondPassAt = Date.now() + secondPassSeconds * 1_000;
      return { again: { payload: { organizationId, migrationId, secondPassAt }, delaySeconds: secondPassSeconds } };
    }
    // Where the document was deleted meanwhile, grants may have followed to its uid after that was purged.
    const dead = (await Owner.documentOf(workspace, uid)) ? [reservedUid] : [reservedUid, uid];
    const partitions = dead.map((each) => keys.documentData(workspace, each));
    await Table.commit([], { jobs: [purgeJob(workspace, partitions)] });
    return "done";
  },
});
export const handler = queueLambda(migrate);
