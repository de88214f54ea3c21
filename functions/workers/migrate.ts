import { inFlightSeconds } from "../../lib/call.ts";
import { complete, endWait, isWaiting, moveGrants, switchIds } from "../../lib/content/migrate.ts";
import { purgeJob } from "../../lib/deletion/purge-job.ts";
import { commit } from "../../lib/jobs/commit.ts";
import { secondPass } from "../../lib/jobs/worker.ts";
import { queueLambda, worker } from "../../lib/jobs/worker-lambda.ts";
import { documentByUid } from "../../lib/store/content/document-by-uid.ts";
import { documentDataPartition } from "../../lib/store/refs.ts";

export const migrate = worker({
  name: "migrate",
  jobs: "migrate",
  summary: "Switches a document to its new id, then moves the grants that were stored for that id before the switch.",
  grants: ["table:read", "table:write", "table:delete", "queue:purge", "queue:fanout", "live:publish"],

  async run(job, until) {
    const { workspace, payload } = job;
    const { organizationId, migrationId } = payload as { organizationId: string; migrationId: string };
    const organization = { workspace, organizationId };
    const migration = await switchIds({ ...organization, migrationId });
    if (migration && isWaiting(migration)) return { again: { payload, delaySeconds: inFlightSeconds } };
    if (!migration?.reservedUid) return "done";
    const reserved = { workspace, documentUid: migration.reservedUid };
    const own = { workspace, documentUid: migration.documentUid };
    const after = await moveGrants([reserved, own], payload.after as string | undefined, until);
    if (after !== undefined) return { again: { payload: { ...payload, after }, delaySeconds: 0 } };
    await complete(organization, migration);
    // Calls that read the reservation before the switch can still give grants under it.
    if (!payload.isSecondPass) return secondPass({ organizationId, migrationId });
    await endWait(organization, migration);
    // A document that was deleted meanwhile may have received grants after its purge. They are purged too.
    const orphaned = (await documentByUid(own)) ? [reserved] : [reserved, own];
    const partitions = orphaned.map(documentDataPartition);
    await commit([], { jobs: [purgeJob(workspace, partitions)] });
    return "done";
  },
});
export const handler = queueLambda(migrate);
