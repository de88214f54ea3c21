// Takes permissions from roles. A request that is denied gives its permission back to the function, which goes on. So one
// run shows nearly all permissions that are missed.
import type { Removal } from "./report.ts";

export type Taken = Omit<Removal, "isDenied">;

/** Runs functions without these permissions. Returns those that no function was denied. */
type NotMissed = (taken: readonly Taken[]) => Promise<Taken[]>;

/** Takes the permissions together, then those that are left, and at last each of those alone. */
export async function remove(used: readonly Taken[], notMissed: NotMissed): Promise<Removal[]> {
  let left = used;
  let before: number;
  do {
    before = left.length;
    left = await notMissed(left);
  } while (left.length > 0 && left.length < before);
  // What came back together with another permission, or what a job that failed did not reach.
  const alone = await Array.fromAsync(left, (each) => notMissed([each]));
  const survived = new Set(alone.flat());
  return used.map((each) => ({ ...each, isDenied: !survived.has(each) }));
}

/** The removals that no function has missed. */
export function survivors(removals: readonly Removal[]): string[] {
  return removals.filter(({ isDenied }) => !isDenied).map(({ name, permission }) => `${name} without ${permission}`);
}
