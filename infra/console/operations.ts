// What the operator of the service sees beside the API: metrics, jobs, settings and mails.
import { notFound } from "./reply.ts";
import type { Asked, Route } from "./route.ts";

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
  /** ISO 8601. */
  dueAt: string;
  attempts: number;
}

export interface ShownSetting {
  name: string;
  value?: unknown;
  default: unknown;
  meaning: string;
}

export interface ShownMail {
  id: string;
  /** ISO 8601. */
  at: string;
  channel: string;
  to?: string;
  subject?: string;
  messageId?: string;
}

/** Each part is absent where this process cannot know it. */
export interface Operations {
  metrics?: (minutes: number) => Promise<Series[]>;
  jobs?: { list(state?: string): Promise<ShownJob[]>; retry(id: string): Promise<void> };
  settings?: () => Promise<ShownSetting[]>;
  mails?: { list(): Promise<ShownMail[]>; html(id: string): Promise<string | undefined> };
}

export function operationsRoutes(_operations: Operations): Route[] {
  return [[/^\/console\/operations\//, "ANY", (_asked: Asked) => notFound("Not known here.")]];
}
