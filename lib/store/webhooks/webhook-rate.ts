// The time when the next delivery to a webhook endpoint may start. Each reservation moves this time forward.
import { entity } from "../../dynamodb/entity.ts";
import * as Table from "../../dynamodb/table.ts";
import { writeAll } from "../../dynamodb/write-each.ts";
import { type EndpointRef, endpointPartition } from "./webhook-endpoint.ts";

interface Rate {
  /** Ms since the epoch. */
  nextFree: number;
}

export const webhookRateEntity = entity<Rate>()({
  name: "webhook-rate",
  attributes: ["nextFree"],
  pk: (ref: EndpointRef) => endpointPartition(ref),
  sk: () => "RATE",
});

/** Ms since the epoch; undefined when no start was ever reserved. */
export async function nextFree(ref: EndpointRef): Promise<number | undefined> {
  return (await Table.get<Rate>(webhookRateEntity.key(ref)))?.nextFree;
}

/** Moves the time forward. Returns false when it is no longer `from`: another worker has moved it. */
export async function move(ref: EndpointRef, from: number | undefined, to: number): Promise<boolean> {
  return writeAll([webhookRateEntity.update(ref, { set: { nextFree: to } }, { nextFree: from })]);
}
