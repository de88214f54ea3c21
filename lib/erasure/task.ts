// What an erasure's job must do, sealed in its payload: a failed job is kept for 90 days, and its retry needs the users.
// The steps are sealed too, since the key where a step continues can name a user.
import { purposes } from "../purposes.ts";
import { seal, unseal } from "../secrets.ts";
import type { Erasure } from "../store/erasure/being-erased.ts";
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

export const taskOf = async (workspace: string, sealed: string): Promise<Task> =>
  JSON.parse(await unseal(sealed, contextOf(workspace)));
