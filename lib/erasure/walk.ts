// One pass of an erasure: visits all content that can name the users, in pages. Content of others can name a user, so a
// pass reads all content of the organizations, once for all users together.
import type { Item } from "../dynamodb/key.ts";
import * as Table from "../dynamodb/table.ts";
import { organizationEntryEntity } from "../store/content/organization.ts";
import type { Context, Step } from "./context.ts";
import { eraseFromJobs } from "./jobs.ts";
import { eraseLives } from "./lives.ts";
import { appendWaiting } from "./log.ts";
import { visit } from "./visit.ts";

/** Most items in a page: each can lead to further steps, which the job stores. */
const pageItems = 25;
/** An organization leads to 20 steps. */
const organizationsPerPage = 4;

/** Takes the steps until none is left, or until `until` (ms since the epoch). Returns the steps that are left. */
export async function walk(context: Context, steps: readonly Step[], until: number): Promise<Step[]> {
  const rest = [...steps];
  for (let step = rest.pop(); step; step = rest.pop()) {
    rest.push(...(await take(context, step, until)));
    if (Date.now() > until) return rest;
  }
  return rest;
}

/** Returns the steps that follow from this one. */
async function take(context: Context, step: Step, until: number): Promise<Step[]> {
  if (step.end) {
    context.organizationsDone++;
    return [];
  }
  if (step.outbox) {
    const from = await eraseFromJobs(context, step.from, until);
    return from === undefined ? [] : [{ ...step, from }];
  }
  if (step.lives !== undefined) {
    const from = await eraseLives(context, step.lives, step.from, until);
    return from === undefined ? [] : [{ ...step, from }];
  }
  if (step.log !== undefined) return (await appendWaiting(context, step.log, until)) ? [] : [step];
  const isOfOrganizations = organizationEntryEntity.partitions(context).includes(step.pk);
  const limit = isOfOrganizations ? organizationsPerPage : pageItems;
  const { items, next } = await Table.query<Item>({ limit, ...step });
  const below = await visit(context, items);
  return [...(next === undefined ? [] : [{ ...step, after: next }]), ...below];
}
