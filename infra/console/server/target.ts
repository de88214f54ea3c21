import type { Scope } from "../../../lib/schema/scopes.ts";

/** The service that the console shows. Only the console's own process has the keys. */
export interface Target {
  /** The origin of the API. */
  api: string;
  apiKey: string;
  authToken: string;
  /** A token that only reads, for a browser that may only look. */
  readToken?: string;
  /** The demo workspace of this machine, whose keys its own commands may have. */
  isDemo?: true;
  /** The file of this machine that has the keys as JSON. */
  keysFile?: string;
  /** What `authToken` may do. */
  scopes: readonly Scope[];
}

/** All secrets of a target: none of them may reach the browser. */
export const secretsOf = (target: Target): string[] => [target.apiKey, ...tokensOf(target)];

/** Without the API key, which the workspace's own users know. */
export const tokensOf = ({ authToken, readToken }: Target): string[] =>
  [authToken, readToken].filter((each) => each !== undefined);
