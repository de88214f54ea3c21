// What an erasure's job must do, sealed in its payload: a failed job is kept for 90 days, and its retry needs the users.
// The steps are sealed too, since the key where a step continues can name a user.
import { purposes } from "../purposes.ts";
import { seal, unseal } from "../secrets.ts";
import type { Erasure } from "../store/being-erased.ts";
import type { Step } from "./context.ts";

export interface Task {
  erase: Erasure;
  /** When the call was accepted, ISO 8601. */
  acceptedAt: string;
  /** What the current pass must still do; absent: it begins. */
  steps?: Step[];
}

const contextOf = (workspace: string) => ({ workspace, purpose: purposes.erasureTask });

export const sealedTask = (workspace: string, task: Task): Promise<string> =>
  seal(JSON.stringify(task), contextOf(workspace));

/** Jobs of the release before have the users in plain text. That of the release before it erased one user. */
type FormerErasure = Erasure | { organizationId: string; userId: string };

/** The task of a job's payload. `isFormer`: its user is marked by the job's id, as one release did. */
export async function taskOf(
  workspace: string,
  { erase, acceptedAt, steps }: { erase: string | FormerErasure } & Partial<Omit<Task, "erase">>,
): Promise<Task & { isFormer?: true }> {
  if (typeof erase === "string") return JSON.parse(await unseal(erase, contextOf(workspace)));
  const begun = acceptedAt ?? new Date().toISOString();
  if ("userIds" in erase) return { erase, acceptedAt: begun, ...(steps && { steps }) };
  const { organizationId, userId } = erase;
  return { erase: { organizationId, userIds: [userId] }, acceptedAt: begun, isFormer: true };
}
