// Calls the bundles of endpoints, whose log lines have the cost of each call.
import { endpoints } from "../../infra/deployables.ts";
import { handlerOf } from "../support/bundles.ts";
import { type Credentials, contextOf, eventOf } from "./event.ts";
import { type Line, takeLines } from "./log-lines.ts";

/** Calls an endpoint's bundle. Returns the reply and the log line. */
export async function callAs(as: Credentials, name: string, data: object) {
  const endpoint = endpoints.find((each) => each.name === name);
  if (!endpoint) throw new Error(`There is no endpoint ${name}.`);
  takeLines();
  const handler = await handlerOf(name);
  const reply = (await handler(eventOf(endpoint, as, data), contextOf())) as { statusCode: number; body: string };
  const line = takeLines().find((each) => each.message === "call") as Line;
  return { ...reply, line };
}
