import type { Range as TableRange } from "../dynamodb/table.ts";
import type { ListCursor } from "../jobs/list.ts";
import { purposes } from "../purposes.ts";
import { seal, unseal } from "../secrets.ts";
import type { Erasure } from "../store/erasure/being-erased.ts";

/** What the steps of a run need: the erasure, with the waiting erasures that it does too. */
export interface Context {
  workspace: string;
  userIds: readonly string[];
  users: ReadonlySet<string>;
  /** Undefined: all organizations. */
  organizationId: string | undefined;
  /** When the first and the last of the calls were accepted, ISO 8601. */
  acceptedAt: string;
  lastAcceptedAt: string;
  jobId: string;
  /** An item has changed since it was read, or could not be written yet. So another pass must follow. */
  isIncomplete: boolean;
  /** Organizations that this run has completed. */
  organizationsDone: number;
}

type Range = Pick<TableRange, "pk" | "beginsWith" | "above" | "after" | "limit">;

/**
 * A step that a run must still do. A range is read in pages of `limit` items. `access`: before the first pass, ends the
 * users' access to the organizations of a range. `lives`: ends the users' lives in an organization and deletes their own
 * data, from the user with the index `from` on. `end`: the organization is completed. `log`: appends the entries that
 * wait for the activity log of an organization. `outbox`: the payloads of jobs, including jobs of the outbox, from the
 * cursor `from` on.
 */
export type Step = {
  [Name in keyof Steps]: Steps[Name] & { [Other in Exclude<keyof Steps, Name>]?: undefined };
}[keyof Steps];

interface Steps {
  pk: Range;
  access: { access: Range };
  lives: { lives: string; from: number };
  log: { log: string };
  end: { end: true };
  outbox: { outbox: true; from?: ListCursor };
}

/**
 * The task of the job. It is sealed in the payload of the job, because a failed job is kept for 90 days, and a retry
 * needs the ids of the users. The steps are sealed too: the key at which a step continues can contain a user's id.
 */
export interface Task {
  erase: Erasure;
  /** When the call was accepted, ISO 8601. */
  acceptedAt: string;
  /** The remaining steps of the first run or of the current pass; absent: none is done yet. */
  steps?: Step[];
  /** The erasures that this one does too. */
  taken?: Taken[];
}

/** Another erasure in the same organization, or in all. */
export interface Taken {
  jobId: string;
  userIds: string[];
  acceptedAt: string;
}

const contextOf = (workspace: string) => ({ workspace, purpose: purposes.erasureTask });

export const sealedTask = (workspace: string, task: Task): Promise<string> =>
  seal(JSON.stringify(task), contextOf(workspace));

export const taskOf = async (workspace: string, sealed: string): Promise<Task> =>
  JSON.parse((await unseal(sealed, contextOf(workspace))).reveal());
