import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { commandLine } from "../../../infra/local/processes.ts";

/** A folder for one test. After the test, passed or failed, the folder and its engines are removed. */
export function temporaryFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), "local-test-"));
  onTestFinished(() => {
    for (const pid of enginesOn(dir)) process.kill(pid, "SIGKILL");
    rmSync(dir, { recursive: true, force: true });
  });
  return dir;
}

/** The pids of the engines that run on this folder. */
export function enginesOn(dir: string): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    const words = commandLine(pid);
    return words[0]?.endsWith("dynoxide") && words.some((word) => word.startsWith(dir));
  });
}
