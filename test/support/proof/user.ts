// A user, with the customer's server that gives out tokens.
import { tokenGenerate } from "../../../functions/user-tokens/token-generate.ts";
import { type Credentials, must } from "../call.ts";
import type { Random } from "../random.ts";
import { organizationId } from "../workspace.ts";

export const place = { organizationId, documentId: "d" };
/** A token of a user is so old at most when a page gets it. */
const tokenAgeMs = 120_000;

export class User {
  readonly userId: string;
  /** The customer's server is down. */
  isTokenDown = false;
  #token = "";
  #madeAt = -Infinity;

  constructor(userId: string) {
    this.userId = userId;
  }

  async token(isForProbe = false): Promise<string> {
    if (this.isTokenDown && !isForProbe) throw new Error("The customer's server is down.");
    return this.#token;
  }

  /** Makes a token. Signing runs beside the simulated time, so nothing else may. */
  async renewToken(as: Credentials, random: Random): Promise<void> {
    if (Date.now() - this.#madeAt < tokenAgeMs) return;
    const { userId } = this;
    const userProperties = { name: `The ${userId}`, email: `${userId}@example.com` };
    const expiresInSeconds = 300 + random.below(900);
    const data = { userId, userProperties, permissions: { resources: [] }, expiresInSeconds };
    this.#token = (await must(tokenGenerate, { as, data })).token;
    this.#madeAt = Date.now();
  }
}
