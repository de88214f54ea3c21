import { mergeEditor } from "../../lib/crdt/merge-editor.ts";
import { queueLambda, worker } from "../../lib/jobs/worker-lambda.ts";

export const merge = worker({
  name: "merge",
  jobs: "merge",
  summary: "Merges the updates of an editor into its CRDT content.",
  grants: ["table:read", "table:write", "table:batch"],
  // One merge at a time in a container: the largest content takes hundreds of MB of memory, and seconds of CPU time.
  batchSize: 1,
  memoryMb: 1_769,

  run: mergeEditor,
});
export const handler = queueLambda(merge);
