import { jobKinds } from "../../lib/grants.ts";
import { partitionsAt, sweep } from "../../lib/jobs/sweep.ts";
import { scheduled, scheduleLambda } from "../../lib/jobs/worker-lambda.ts";

export const sweeper = scheduled({
  name: "sweeper",
  summary: "Sends overdue jobs again: their message was lost, or their worker died.",
  everyMinutes: 1,
  grants: ["table:read", "table:due", "table:write", ...jobKinds.map((kind) => `queue:${kind}` as const)],

  run: (until, at) => sweep(partitionsAt(at), until),
});
export const handler = scheduleLambda(sweeper);
