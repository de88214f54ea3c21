// One run of an extraction: the file is read, kept as knowledge, and its tasks are grouped by a model.
import { completeObject } from "../ai/complete.ts";
import { toApiError } from "../ai/failure.ts";
import { log } from "../log.ts";
import * as Blob from "../store/blob.ts";
import * as IngestRun from "../store/ingest-run.ts";
import * as Knowledge from "../store/knowledge.ts";
import * as Setting from "../store/setting.ts";
import { problems } from "./content.ts";
import { kindOf } from "./file-type.ts";
import { Grouping, instructions, numbered, resultOf } from "./grouping.ts";
import { readInSandbox } from "./sandbox.ts";

/** What an item of the table can hold beside the rest of the run. */
const resultBytesMax = 350_000;

type Outcome = { result: string } | { failure: IngestRun.Failure };

/** Safe to run twice. Throws where another worker has taken over the run meanwhile. */
export async function extract(workspace: string, run: IngestRun.IngestRun, until: number): Promise<Outcome> {
  const bytes = await Blob.get(workspace, run.fingerprint);
  const kind = kindOf(run.mimeType);
  if (!bytes || !kind) return internal("The file is gone. Send it again.");
  const content = await readInSandbox(bytes, kind, until);
  if ("problem" in content) return internal(`The file has no readable content. ${problems[content.problem]}`);

  const sourceId = Knowledge.sourceIdOf(bytes, kind);
  const { runId: uid, mimeType, fileName } = run;
  await Knowledge.add(workspace, { sourceId, uid, mimeType, ...(fileName && { fileName }) }, content.lines);

  const tasks = numbered(content);
  let { vendorCalls } = run;
  const question = {
    workspace,
    ai: await Setting.get(workspace, "ai"),
    vendor: run.vendor,
    instructions,
    prompt: tasks.prompt,
    deadline: until,
    beforeCall: async () => {
      if (!(await IngestRun.countCall(workspace, { ...run, vendorCalls }))) throw new Error("The run is another's.");
      vendorCalls += 1;
    },
  };
  const outcome = await completeObject(question, Grouping);
  if (outcome.failure) {
    const { kind: reason, message, cause } = outcome.failure;
    log("warn", "model", { workspace, run: run.runId, outcome: reason, cause });
    const { status } = toApiError(outcome.failure);
    // Nothing is wrong with the request where there is no key to work with (decision I2).
    return { failure: { status: status === "FAILED_PRECONDITION" ? "INTERNAL" : status, message } };
  }
  const result = JSON.stringify(resultOf(tasks, outcome.answer, sourceId));
  return Buffer.byteLength(result) > resultBytesMax ? internal("The model's answer is too long.") : { result };
}

const internal = (message: string): Outcome => ({ failure: { status: "INTERNAL", message } });
