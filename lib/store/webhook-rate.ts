// When an endpoint's next delivery may start: one item, moved on by whoever reserves.

import * as Table from "../dynamodb/table.ts";
import { commit } from "../jobs/commit.ts";
import { keys } from "./keys.ts";

/** Ms since the epoch; undefined: nothing was ever reserved. */
export async function nextFree(workspace: string, endpointId: string): Promise<number | undefined> {
  return (await Table.get<{ nextFree: number }>(keys.webhookRate(workspace, endpointId)))?.nextFree;
}

/** Moves it from what was read. False: another worker has moved it since. */
export async function move(
  workspace: string,
  endpointId: string,
  from: number | undefined,
  to: number,
): Promise<boolean> {
  return commit([{ update: keys.webhookRate(workspace, endpointId), set: { nextFree: to }, if: { nextFree: from } }]);
}
