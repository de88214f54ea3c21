// The workers as the stack deploys them, with their own roles, behind the queues of the template.
import { afterAll, beforeAll, expect, it } from "vitest";
import { consumersAmong, sourceQueueOf, workers } from "../../infra/deployables.ts";
import { jobKinds } from "../../lib/grants.ts";
import { rehearseJobs } from "./jobs.ts";
import { Rehearsal } from "./rehearsal.ts";
import { passed } from "./report.ts";
import { inJobs, namesIn, unusedHint, unusedInCalls, unusedInJobs, withoutReason } from "./unused.ts";

let rehearsal: Rehearsal;
beforeAll(async () => {
  rehearsal = await Rehearsal.open();
});
afterAll(() => rehearsal.close());

const timeout = 600_000;

it("every worker does its jobs, and the sweeper sends those whose messages are lost", { timeout }, async ({ task }) => {
  const rows = await rehearseJobs(rehearsal);
  task.meta.rows = rows;
  const ofWorkers = rows.filter(({ kind }) => kind !== "endpoint");
  expect(ofWorkers.map(({ name }) => name).sort()).toEqual(workers.map(({ name }) => name).sort());
  for (const row of rows) expect(row).toMatchObject(passed);
  for (const { name, unused, unusedGrants } of ofWorkers) {
    expect(withoutReason(unused, namesIn(unusedInJobs, name)), `${name}: ${unusedHint}`).toEqual([]);
    expect(unusedGrants, `${name}: ${unusedHint}`).toEqual(namesIn(unusedInJobs, name));
  }
  const extract = rows.find(({ name }) => name === "agents-extract");
  const missing = Object.entries(unusedInCalls["agents-extract"] ?? {})
    .filter(([, reason]) => reason === inJobs)
    .filter(([each]) => extract?.unusedGrants.includes(each));
  expect(missing, "an extraction uses these").toEqual([]);
  expect(rehearsal.queues.deadLetters).toEqual([]);
  expect(rehearsal.stopped).toEqual([]);
  // The purge has sent to its own queue: the SDK has passed the trace header on, so Lambda would count.
  expect(rehearsal.longestChain).toBeGreaterThan(1);
});

it("Lambda ends no chain of messages with which a worker invokes itself", () => {
  const ofJobs = rehearsal.deployed.mappings.filter(({ kind }) => jobKinds.some((each) => each === kind));
  const ended = ofJobs.filter(
    (each) => !rehearsal.deployed.functions.find(({ arn }) => arn === each.functionArn)?.allowsRecursion,
  );
  expect(ended).toEqual([]);
});

it("each worker is invoked by its own queue, as many jobs at a time as it declares, or by its schedule", () => {
  const { functions, mappings, timers } = rehearsal.deployed;
  const nameOf = (functionArn: string) => functions.find(({ arn }) => arn === functionArn)?.name;
  const invoked = mappings.map((each) => [nameOf(each.functionArn), each.kind, each.batchSize, each.reportsFailures]);
  const declared = consumersAmong(workers).map((each) => [each.name, sourceQueueOf(each), each.batchSize, true]);
  expect(invoked.sort()).toEqual(declared.sort());
  expect(timers.map((each) => [nameOf(each.functionArn), each.isAllowed])).toEqual([["sweeper", true]]);
});
