// What a call or a job uses, and what that costs.
import result from "../../bench/result.json" with { type: "json" };
import { coldShare, logBytes, outsideMs, priced, waitsMs, wholeCpuMb } from "./prices.ts";

export interface Usage {
  name: string;
  memoryMb: number;
  trips: number;
  readUnits: number;
  writeUnits: number;
  kmsCalls: number;
  fileReads: number;
  fileWrites: number;
  queueSends: number;
}

/** CPU time of a warm call and of a start, milliseconds, as the benchmark has measured them. */
const warmCpuMs = Math.max(...result.warm.map(({ oursMicros }) => oursMicros)) / 1_000;
export const startMs = result.starts.find(({ name }) => name === "ours")?.coldMs ?? 0;

/** The billed duration: CPU in proportion to the memory, the waits, and the share of starts. */
export function durationMs({ name, memoryMb, trips, kmsCalls, fileReads, fileWrites, queueSends }: Usage): number {
  const cpuMs = (warmCpuMs * wholeCpuMb) / memoryMb;
  const files = (fileReads + fileWrites) * waitsMs.file;
  const waits = trips * waitsMs.trip + kmsCalls * waitsMs.kms + files + queueSends * waitsMs.queue;
  return cpuMs + waits + (outsideMs[name] ?? 0) + coldShare * startMs;
}

/** Dollars for a million invocations, without the request that causes them. */
function ofFunction(usage: Usage): number {
  const gbSeconds = (durationMs(usage) / 1_000) * (usage.memoryMb / 1_024);
  const each =
    priced("invocation", 1) +
    priced("gbSecond", gbSeconds) +
    priced("readUnit", usage.readUnits) +
    priced("writeUnit", usage.writeUnits) +
    priced("kmsCall", usage.kmsCalls) +
    priced("fileRead", usage.fileReads) +
    priced("fileWrite", usage.fileWrites) +
    priced("queueRequest", usage.queueSends) +
    priced("logGb", logBytes / 1e9);
  return each * 1e6;
}

/** Dollars for a million calls. */
export const ofCalls = (usage: Usage) => ofFunction(usage) + priced("apiCall", 1e6);

/** Dollars for a million jobs. Lambda receives and deletes a message for each. */
export const ofJobs = (usage: Usage) => ofFunction(usage) + priced("queueRequest", 2e6);
