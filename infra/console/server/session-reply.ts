// What the page learns of the console that serves it.
import { version } from "../../cli/version.ts";
import { keysLineOf } from "./keys-line.ts";
import { jsonReply, type Reply } from "./reply.ts";
import type { SiteOptions } from "./site-options.ts";
import { tokensOf } from "./target.ts";

export async function sessionReply({ mode, target, operations }: SiteOptions, canChange: boolean): Promise<Reply> {
  const known = await target;
  const { metrics, jobs, settings, mails, activities } = operations;
  const parts = { metrics, jobs, doneJobs: jobs?.done, settings, mails, activities };
  return jsonReply({
    mode,
    api: known.api,
    version: version(),
    canChange,
    scopes: canChange ? known.scopes : ["read"],
    keysLine: keysLineOf(known),
    ownTokenIds: canChange ? await idsOf(tokensOf(known)) : [],
    operations: Object.fromEntries(Object.entries(parts).map(([name, each]) => [name, each !== undefined])),
  });
}

/** The public ids of the tokens, by which a list names them. */
async function idsOf(tokens: readonly string[]): Promise<string[]> {
  const { hashOf, idOf } = await import("../../../lib/store/access/auth-token.ts");
  return tokens.map((token) => idOf(hashOf(token)));
}
