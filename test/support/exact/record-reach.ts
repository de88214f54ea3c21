// Records which sources a test file runs. The setup of the exact tests imports this file when REACH_FILE is set.
import { appendFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { afterAll, beforeAll, expect } from "vitest";
import { root } from "../sources.ts";

const shared = globalThis as { coverage?: Promise<Session> };

/** All files of a process share one session, which counts since it was last asked. */
async function started(): Promise<Session> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  return session;
}

/** Writes a line for this test file: its path, and the sources of which it has run a function. */
export function recordReach(to: string): void {
  shared.coverage ??= started();
  const taken = async () => (await shared.coverage)?.post("Profiler.takePreciseCoverage");
  beforeAll(taken);
  afterAll(async () => {
    const { result = [] } = (await taken()) ?? {};
    const run = result.filter(({ functions }) =>
      functions.some(({ functionName, ranges }) => functionName !== "" && (ranges[0]?.count ?? 0) > 0),
    );
    const paths = run.map(({ url }) => url.replace("file://", "").slice(root.length));
    const sources = paths.filter((path) => /^(?:functions|lib|infra)\//.test(path));
    appendFileSync(to, `${JSON.stringify([expect.getState().testPath?.slice(root.length), sources])}\n`);
  });
}
