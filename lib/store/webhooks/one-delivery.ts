// One delivery with its body. Until an attempt succeeds or is the last one, only the pending item has the body.
import * as Table from "../../dynamodb/table.ts";
import { hasEnded } from "../../retention.ts";
import { type Logged, loggedEntity, type Pending, pendingEntity } from "./delivery.ts";
import type { EndpointRef } from "./webhook-endpoint.ts";

/** A worker can record an attempt between two reads. */
const readsMax = 4;

/** Returns the delivery, attempted or not; undefined if there is none, or if it is no longer kept. */
export async function oneDelivery(ref: EndpointRef, id: string): Promise<Logged | Pending | undefined> {
  let dueAt = firstDueAt(id);
  let found: Logged | undefined;
  for (let reads = 0; reads < readsMax; reads++) {
    const pendingKeys = dueAt === undefined ? [] : [pendingEntity.key({ ...ref, dueAt, id })];
    const [logged, pending] = await Table.getMany<object>([loggedEntity.key({ ...ref, id }), ...pendingKeys]);
    if (!logged && pending) return pending as Pending;
    if (!logged && reads > 0) return undefined;
    if (!logged) continue;
    found = logged as Logged;
    if (hasEnded(found)) return undefined;
    if (found.status !== "pending") return found;
    const { body } = (pending ?? {}) as Partial<Pending>;
    const next = Date.parse(found.nextAttemptAt ?? "");
    if (body !== undefined && dueAt === next) return { ...found, body };
    dueAt = next;
  }
  return found;
}

/** When the first attempt is due, ms since the epoch: the id begins with this time. Undefined: it is no delivery's id. */
function firstDueAt(id: string): number | undefined {
  const [, time] = /^msg_(\d{13})_[\w-]+$/.exec(id) ?? [];
  return time === undefined || id.length > 200 ? undefined : Number(time);
}
