// Measures the cost of a typical call of each endpoint on the local engine, from its log line.
import { endpoints } from "../../infra/deployables.ts";
import { requestExample } from "../../lib/openapi/operation.ts";
import { handlerOf } from "../support/bundles.ts";
import { type Credentials, contextOf, eventOf } from "./event.ts";
import { type Line, takeLines } from "./log-lines.ts";
import { inOrder, requests } from "./requests.ts";

export interface Cost extends Omit<Line, "message"> {
  endpoint: string;
}

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

/** Measures the second call of each endpoint, because most calls find the credentials cached in their container. */
export async function costs(as: Credentials): Promise<Cost[]> {
  const all: Cost[] = [];
  for (const endpoint of inOrder(endpoints)) {
    const { name } = endpoint;
    const data = requests[name] ?? (() => requestExample(endpoint) as object);
    await callAs(as, name, data(0));
    const { line } = await callAs(as, name, data(1));
    const { status, roundTrips, readUnits, writeUnits, kmsCalls } = line;
    all.push({ endpoint: name, ...(status && { status }), roundTrips, readUnits, writeUnits, kmsCalls });
  }
  return all;
}
