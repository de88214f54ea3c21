// Extractions for tests: files, a model's answer, and a worker for their jobs.
import { afterAll, afterEach, beforeEach, vi } from "vitest";
import { agentsExtract } from "../../functions/models-and-agents/agents-extract.ts";
import { aimodelconfigUpdate } from "../../functions/models-and-agents/aimodelconfig-update.ts";
import { pause } from "../../lib/concurrency.ts";
import { aiVendors } from "../../lib/schema/setting-names.ts";
import { type Credentials, call, must, newWorkspace } from "./call.ts";
import { jobsOf } from "./jobs.ts";
import { runWorker } from "./run-worker.ts";
import { startVendorServer, type VendorServer } from "./vendor.ts";

export const xlsxType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
export const docxType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
export const vendorKey = "sk-c0ffee";
export const csv = "Task,Owner\nCheck the title.,QA\nCheck the links.,Dev\nLunch,-\n";
const context = { id: "brand", title: "Brand", type: "text", example: null };
/** The model's answer for `csv`. */
export const answer = {
  agents: [
    {
      name: "Pages",
      description: "Checks.",
      prompt: "Check.",
      tasks: [
        { first: 3, last: 3 },
        { first: 2, last: 2 },
        { first: 2, last: 2 },
        { first: 99, last: 99 },
      ],
      userContextFields: [context],
    },
  ],
  skipped: [
    { first: 1, last: 1, reason: "Header row." },
    { first: 4, last: 4, reason: "No task." },
  ],
  summary: "Three rows.",
  totalTasksParsed: 3,
};

export const fileOf = (content: string | Buffer, mimeType = "text/csv") => ({
  fileBase64: Buffer.from(content).toString("base64"),
  mimeType,
});

/** A vendor server for the tests of the calling file. It returns `answer` first. Stubs and mocks end with each test. */
export async function startExtractionVendor(): Promise<VendorServer> {
  const vendor = await startVendorServer();
  beforeEach(() => vendor.behave(JSON.stringify(answer)));
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });
  afterAll(() => vendor.close());
  return vendor;
}

/** A workspace with a key of each vendor. */
export async function withKeys(vendor: VendorServer): Promise<Credentials> {
  const as = await newWorkspace();
  const providers = Object.fromEntries(
    aiVendors.map((each) => [each, { apiKey: vendorKey, baseUrl: vendor.baseUrl(each) }]),
  );
  await must(aimodelconfigUpdate, { as, data: { providers } });
  return as;
}

/** Calls the endpoint while the worker's bundle runs the queued jobs. */
export async function extract(as: Credentials, data: object, headers: Record<string, string> = {}) {
  const reply = call(agentsExtract, { as, data, headers, remainingMs: 28_000 });
  let isDone = false;
  void reply.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await work(as);
    await pause(20);
  }
  return reply;
}

/** Runs the jobs that wait, once. */
export async function work(as: Credentials): Promise<void> {
  for (const step of ["ingest", "draft"] as const) {
    const waiting = (await jobsOf(as, step)).filter(({ state }) => state === "waiting");
    await runWorker(
      step,
      waiting.map(({ id }) => id),
      55_000,
    );
  }
}
