import { endpoints } from "../deployables.ts";
import { request, statusOf, type Target } from "./request.ts";

/** A check of a running service. It throws an error with a message for the operator. */
export interface Check {
  name: string;
  run(target: Target): Promise<void>;
}

/** A check throws it if there is nothing to check. The message says why. */
export class Skipped extends Error {}

/** The organization and the user of the test. They stay after it, so they are the same each time. */
export const smokeId = "smoke-test";

/** Makes a call that must succeed. Returns the reply's data. */
export async function call(target: Target, name: string, data: object) {
  const reply = await request(target, { path: pathOf(name), data });
  if (reply.status !== 200) throw new Error(`${pathOf(name)}: ${statusOf(reply)}`);
  return reply.body.result.data;
}

export function pathOf(name: string): string {
  const found = endpoints.find((each) => each.name === name);
  if (!found) throw new Error(`There is no endpoint ${name}.`);
  return found.path;
}
