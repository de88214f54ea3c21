// Extractions in a rehearsal: a call waits for its jobs. Some of them find that their file is gone.
import { setTimeout as sleep } from "node:timers/promises";
import type { JobKind } from "../../lib/grants.ts";
import { type AiVendor, aiVendors } from "../../lib/schema/setting-names.ts";
import * as Blob from "../../lib/store/blob.ts";
import type { Run } from "./runtime/process.ts";
import type { Team } from "./team.ts";

interface Extraction {
  provider: AiVendor;
  /** The worker that finds no file. */
  loses?: JobKind;
}

const extractions: Extraction[] = [
  ...aiVendors.map((provider) => ({ provider })),
  { provider: "openai", loses: "ingest" },
  { provider: "openai", loses: "draft" },
];

/** On a busy machine, a message can be given up. The sweeper sends it, and the caller sends the file again. */
const triesMax = 3;

/** Returns what is wrong. Stops at the first extraction that does not succeed. */
export async function rehearseExtractions(team: Team): Promise<string[]> {
  for (const [index, extraction] of extractions.entries()) {
    const expected = extraction.loses ? 500 : 200;
    let last = "";
    for (let tries = 0; tries < triesMax && !last.startsWith(`${expected} `); tries++) {
      if (isDenied(team)) return ["An extraction did not end, because of the denials."];
      if (tries > 0) await team.sweep();
      last = await extract(team, extraction, `Task\nCheck figure ${index}.\n`);
    }
    const isExpected = last.startsWith(`${expected} `) && (expected === 200 || last.includes("expired"));
    if (!isExpected) return [`An extraction with ${JSON.stringify(extraction)} returned ${last.slice(0, 300)}`];
  }
  return [];
}

const isDenied = (team: Team) => team.isDenied("ingest", "draft");

/** One call. Returns the status and the body of its reply. */
async function extract(team: Team, { provider, loses }: Extraction, text: string): Promise<string> {
  const { rehearsal, as, senders } = team;
  const data = { fileBase64: btoa(text), mimeType: "text/csv", provider };
  const call = senders.send("agents-extract", data, { isTry: true });
  let isOver = false;
  const ended = call.finally(() => {
    isOver = true;
  });
  // Its error is that of `call`.
  ended.catch(() => {});
  // While a role is refused what it needs, the jobs fail again and again, and the call would wait its whole time.
  while (!isOver && !isDenied(team)) {
    const next = rehearsal.queues.next(as.apiKey);
    if (next && next.kind === loses) await Blob.removeAll({ workspace: as.apiKey });
    if (next) await team.runNext();
    else await Promise.race([ended, sleep(10)]);
  }
  if (!isOver) await senders.stop("agents-extract");
  return statusOf(await call);
}

/** The status and the body of a reply, or Lambda's error. */
function statusOf({ result, error }: Run): string {
  if (error) return `${error.type}: ${error.message}`;
  const { statusCode, body } = result as { statusCode: number; body: string };
  return `${statusCode} ${body}`;
}
