// A step: one call with what the model says about it.
import { isDeepStrictEqual } from "node:util";
import type { Json, Reply } from "./envelope.ts";

export type Fields = Record<string, unknown>;

/** What a reply says, in parts that can be compared one by one. */
export type Reading = Map<string, unknown>;

/** The model does not say. */
export const anything = Symbol("anything");

export interface Step {
  endpoint: string;
  data: Fields;
  /** The lists of the reply. They are read to the last page before they are compared. */
  lists?: readonly string[];
  /** The parts of a reply, beside its status. */
  observe?: (reply: Reply) => Reading;
  /** What the model expects now: a status and the parts, or only a status. */
  expect: () => { outcome: string; reading?: Reading };
  /** Makes the call's change on the model. A second time, it changes nothing. `wasLost`: the call may run twice. */
  apply?: (wasLost: boolean) => void;
  /** Each call creates something new, so it is sent with an Idempotency-Key. */
  isCreation?: boolean;
  /** Takes what only the service knows, such as a new id, from the reply of a success. */
  adopt?: (reply: Reply) => void;
  /** Further calls that belong to the step. Returns a problem. */
  follow?: (client: Follower) => Promise<string | undefined>;
}

export interface Follower {
  /** Sends a call that must succeed, and returns its data. Undefined at the end of the run, or after a finding. */
  read(endpoint: string, data: Fields): Promise<Json | undefined>;
  /** Repeats until the condition holds. Returns a problem if it never does. */
  until(what: string, isSo: () => Promise<boolean | undefined>): Promise<string | undefined>;
}

export type Expected = ReturnType<Step["expect"]>;

/**
 * Says how the reply differs from what the model expects. `after` is given when the call may have run before: then each
 * part can be as the model expects after a run, too.
 */
export function difference(step: Step, reply: Reply, before: Expected, after?: Expected): string | undefined {
  const candidates = after ? [before, after] : [before];
  const fitting = candidates.filter(({ outcome }) => outcome === reply.outcome);
  if (fitting.length === 0) {
    return `the outcome is ${reply.outcome}, not ${candidates.map(({ outcome }) => outcome).join(" or ")}`;
  }
  if (!step.observe || !fitting.some(({ reading }) => reading)) return undefined;
  const found = step.observe(reply);
  const names = new Set([...found.keys(), ...fitting.flatMap(({ reading }) => [...(reading?.keys() ?? [])])]);
  for (const name of names) {
    const expected = fitting.map(({ reading }) => reading?.get(name));
    const isExpected = (value: unknown) => value === anything || isDeepStrictEqual(value, found.get(name));
    if (!expected.some(isExpected))
      return `${name} is ${show(found.get(name))}, not ${expected.map(show).join(" or ")}`;
  }
  return undefined;
}

const show = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 1_500);

export const ok = (entries: Iterable<readonly [string, unknown]> = []) => ({
  outcome: "OK",
  reading: new Map(entries),
});
export const fails = (outcome: string) => ({ outcome });

/** The field of an object that can have any id as a name. */
export const own = (object: Json, name: string): Json =>
  object !== null && typeof object === "object" && Object.hasOwn(object, name) ? object[name] : undefined;

/** `success` of each entry of a reply by id. Fails on an entry that the request does not name. */
export const successes = ({ data }: Reply): Reading =>
  new Map(Object.entries(data as Record<string, { success: boolean }>).map(([id, each]) => [id, each.success]));

/** `message` of each entry of a reply by id. */
export const messages = ({ data }: Reply): Reading =>
  new Map(Object.entries(data as Record<string, { message: string }>).map(([id, each]) => [id, each.message]));

/** One part: the whole data of the reply, changed by `of`. */
export const whole =
  (of: (data: Json) => unknown) =>
  ({ data }: Reply): Reading =>
    new Map([["data", of(data)]]);
export const oneOf = (data: unknown) => ok([["data", data]]);
