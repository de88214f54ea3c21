// Each function has containers of its own, whose caches no other function reads. The tests run all functions in one
// process, and test files share it: a cache of the service finds only what the same function has stored in the same file.
import { AsyncLocalStorage } from "node:async_hooks";
import { expect } from "vitest";
import type { Grant } from "../../../lib/grants.ts";
import { Lru } from "../../../lib/lru.ts";

interface Container {
  name: string;
  /** Undefined: what it sends is not the function's. */
  role: Role | undefined;
}

/** One run of a function. */
export interface Role {
  grants: readonly Grant[];
  /** The writes that have not ended. */
  open: Set<object>;
  hasSucceeded: boolean;
}

const containers = new AsyncLocalStorage<Container | undefined>();
const shared = globalThis as { containersOfTests?: number };
let complaints = new Set<string>();

/** Runs a function as in a container of its own. */
export async function inContainer<R>(
  { name, grants }: { name: string; grants: readonly Grant[] },
  run: () => Promise<R>,
): Promise<R> {
  const role: Role = { grants, open: new Set(), hasSucceeded: false };
  const reply = await containers.run({ name, role }, run);
  role.hasSucceeded = ((reply as { statusCode?: number } | undefined)?.statusCode ?? 200) < 400;
  if (role.hasSucceeded)
    for (const write of role.open) complain(`${name} succeeds before this has ended: ${write.constructor.name}`);
  return reply;
}

/** The function that runs, if one does. */
export const running = (): Container | undefined => containers.getStore();

/** Runs what a test does in the middle of a call. `resume` goes on with the call. */
export function aside<R>(run: (resume: <T>(work: () => T) => T) => R): R {
  const own = running();
  return containers.run(own && { ...own, role: undefined }, () => run((work) => containers.run(own, work)));
}

/** Fails the test, also when the call does not fail: the sweeper sends a job when a message is refused. */
export const complain = (what: string) => void complaints.add(what);

export function expectNoComplaints(): void {
  const found = [...complaints];
  complaints = new Set();
  expect(found).toEqual([]);
}

/** A number of the test file. Files share the process. */
export const fileNumber = (): number => shared.containersOfTests ?? 0;

/** Begins with empty caches: the next call of each function is the first of its container. */
export function newContainers(): void {
  shared.containersOfTests = (shared.containersOfTests ?? 0) + 1;
}

/** Makes the caches of the service belong to containers. */
export function separateContainers(): void {
  const { get, set, delete: remove } = Lru.prototype;
  const own = (key: unknown) => `${shared.containersOfTests} ${running()?.name} ${key}`;
  // `set` calls `delete` with keys that are its container's already.
  let isSetting = false;
  Lru.prototype.get = function (key) {
    return get.call(this, own(key));
  };
  Lru.prototype.set = function (key, value) {
    isSetting = true;
    set.call(this, own(key), value);
    isSetting = false;
  };
  Lru.prototype.delete = function (key) {
    remove.call(this, isSetting ? key : own(key));
  };
}
