// Each function has containers of its own, whose caches no other function reads. The tests run all functions in one
// process, and test files share it: a cache of the service finds only what the same function has stored in the same file.
import { AsyncLocalStorage } from "node:async_hooks";
import { Lru } from "../../../lib/lru.ts";

const functionNames = new AsyncLocalStorage<string>();
const shared = globalThis as { containersOfTests?: number };

/** Runs a function as in a container of its own. */
export const inContainer = <R>(functionName: string, run: () => R): R => functionNames.run(functionName, run);

/** The function that runs, if one does. */
export const functionName = (): string | undefined => functionNames.getStore();

/** A number of the test file. Files share the process. */
export const fileNumber = (): number => shared.containersOfTests ?? 0;

/** Begins with empty caches: the next call of each function is the first of its container. */
export function newContainers(): void {
  shared.containersOfTests = (shared.containersOfTests ?? 0) + 1;
}

/** Makes the caches of the service belong to containers. */
export function separateContainers(): void {
  const { get, set, delete: remove } = Lru.prototype;
  const own = (key: unknown) => `${shared.containersOfTests} ${functionNames.getStore()} ${key}`;
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
