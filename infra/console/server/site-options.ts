import type { Operations } from "./operations.ts";
import type { Session } from "./session.ts";
import type { Target } from "./target.ts";

export interface SiteOptions {
  /** `local`: the server of npm start, which has the console beside the API. */
  mode: "local" | "url" | "stack";
  /** Known when the service is ready. */
  target: Promise<Target>;
  session: Session;
  operations: Operations;
  /** Prints a line in the terminal. */
  notice(text: string): void;
}
