// What the operator of the service sees beside the API: metrics, jobs, settings, mails and activity logs.
import type { Readable } from "node:stream";

export interface Series {
  name: string;
  unit: string;
  /** Unix seconds, and the value of the bucket that begins then. */
  points: [number, number][];
}

export interface ShownJob {
  id: string;
  kind: string;
  state: string;
  /** ISO 8601. Of a failed job, when it failed; of one that is done, when its last run ended. */
  dueAt: string;
  attempts: number;
  /** Of its last run, once it is done. */
  durationMs?: number;
  /** What it does, as jobs/status says. */
  summary?: string;
  progress?: { done: number; total?: number };
  /** `x-request-id` of the call that caused it. */
  causedBy?: string;
}

export interface ShownSetting {
  name: string;
  /** Absent: not known, or without effect. */
  value?: unknown;
  default: unknown;
  meaning: string;
  /** It has no effect on this machine. */
  isOnlyOnAws?: true;
}

export interface ShownMail {
  id: string;
  /** As messages/get has it. Absent: the file does not say. */
  messageId?: string;
  /** ISO 8601. */
  at: string;
  channel: string;
  to?: string;
  subject?: string;
}

/** Each part is absent where this process cannot know it. A refusal is an ApiError. */
export interface Operations {
  metrics?: (minutes: number) => Promise<Series[]>;
  jobs?: {
    /** Those that are not done. */
    list(state?: string): Promise<ShownJob[]>;
    /** Those that were done last. */
    done?(): Promise<ShownJob[]>;
    retry(id: string): Promise<void>;
  };
  settings?: () => Promise<ShownSetting[]>;
  mails?: { list(): Promise<ShownMail[]>; html(id: string): Promise<string | undefined> };
  activities?: (organizationId: string) => Promise<Readable>;
}
