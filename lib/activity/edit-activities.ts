// Updates and deletions of activities (DECISIONS.md#changes-of-a-log). Readers see them at once. The record in
// the chain stays, without the texts; the log's writer appends a record that names the activity.
import { notedSteps } from "../call.ts";
import { chunks, inParallel } from "../concurrency.ts";
import { conflict, retryOnConflict } from "../dynamodb/retry-on-conflict.ts";
import type { NamedUnit } from "../dynamodb/write-each.ts";
import { commitEach } from "../jobs/commit.ts";
import type { LoggedChange } from "../jobs/outbox.ts";
import type { ActivityUpdate } from "../schema/activity-log.ts";
import { actorIn, type ChainHead } from "../store/activity/activity.ts";
import { contentOf, type Texts } from "../store/activity/activity-chain.ts";
import * as Home from "../store/activity/activity-home.ts";
import { unlisting } from "../store/activity/activity-list.ts";
import type { OrganizationRef } from "../store/refs.ts";
import { textsOf } from "./add-activities.ts";

export type Edited = "done" | "missing" | "beyond-limit" | "of-log";

type EditUnit = NamedUnit & { logged: LoggedChange };
type Edit = (home: Home.ActivityHome) => EditUnit | "beyond-limit";

/**
 * The size of all texts of an activity, as they are stored. An item has at most 400 KB, and the record is in it too.
 * The writer could never put a larger item into the chain, and all later entries would wait for ever.
 */
const bytesMax = 360 * 1_024;

/** Ids that one attempt reads, with up to 400 KB each. */
const readTogether = 50;
const batchesInFlight = 4;

export async function updateActivities(organization: OrganizationRef, updates: readonly ActivityUpdate[]) {
  const updatedAt = new Date().toISOString();
  const byId = new Map(updates.map((update) => [update.activityId, update]));
  return editEach(organization, [...byId.keys()], (home) => {
    const { activityId: _, ...parts } = byId.get(home.activityId) as ActivityUpdate;
    const given = textsOf(parts);
    const texts = JSON.stringify(without(home.texts, given));
    const present = JSON.stringify({ ...(JSON.parse(home.present ?? "{}") as Texts), ...given });
    if (Buffer.byteLength(texts) + Buffer.byteLength(present) > bytesMax) return "beyond-limit";
    const write = Home.changing(organization, home, { set: { texts, present, updatedAt }, remove: [] });
    return unitOf(organization, home, [write], { type: "activity.update", content: contentOf(given) });
  });
}

export async function deleteActivities(organization: OrganizationRef, ids: readonly string[]) {
  return editEach(organization, ids, (home) => {
    const removal = Home.changing(organization, home, { set: { isDeleted: true }, remove: ["texts", "present"] });
    const writes = [removal, ...unlisting(organization, home.record, actorIn(home), home.isClients)];
    return unitOf(organization, home, writes, { type: "activity.delete" });
  });
}

const without = (texts: string | undefined, removed: Texts) =>
  Object.fromEntries(Object.entries(JSON.parse(texts ?? "{}") as Texts).filter(([part]) => !(part in removed)));

function unitOf(
  { workspace, organizationId }: OrganizationRef,
  { activityId }: Home.ActivityHome,
  writes: EditUnit["writes"],
  { type, content }: { type: LoggedChange["type"]; content?: object },
): EditUnit {
  const data = { activityId, ...(content && { content }) };
  return { writes, step: { name: activityId, outcome: "done" }, logged: { type, workspace, organizationId, data } };
}

/** Why a record `activity.configure` or `activity.unlock` stays as it is: it is evidence about all other records. */
export const ofLog = "The record shows a change of the log's own setting. Nobody can change or delete it.";

const editable = (home: Home.ActivityHome, edit: Edit) =>
  home.record.eventType.startsWith("activity.") ? "of-log" : edit(home);

/** Returns the result for each id. */
async function editEach(organization: OrganizationRef, ids: readonly string[], edit: Edit) {
  const outcomes = new Map<string, Edited>();
  for (const id of (await notedSteps()).keys()) outcomes.set(id, "done");
  const rest = ids.filter((id) => !outcomes.has(id));
  await inParallel(chunks(rest, readTogether), batchesInFlight, (some) =>
    retryOnConflict("activities", async () => {
      const waiting = some.filter((id) => !outcomes.has(id));
      const { homes, head } = await Home.find(organization, waiting);
      const units = homes.flatMap((home, index) => {
        const id = waiting[index] as string;
        const edited = !home || home.isDeleted ? "missing" : isListed(home, head) ? editable(home, edit) : undefined;
        if (typeof edited === "string") outcomes.set(id, edited);
        return typeof edited === "object" ? [{ id, ...edited }] : [];
      });
      const written = await commitEach(units, (together) => ({ logged: together.map(({ logged }) => logged) }));
      for (const [index, { id }] of units.entries()) if (written[index]) outcomes.set(id, "done");
      return some.every((id) => outcomes.has(id)) ? undefined : conflict;
    }),
  );
  return outcomes;
}

/** The log's writer adds the newest records to the lists some milliseconds after it has put them into the chain. */
const isListed = ({ isClients, record: { sequence = 0 } }: Home.ActivityHome, head: ChainHead | undefined) =>
  isClients || (head !== undefined && sequence <= head.listed);
