// The credentials that endpoints 5 and 6 of the contract take in `data` too (DECISIONS.md#repeated-credentials).
import * as z from "zod/mini";
import { mustBeString } from "./messages.ts";
import { Text } from "./primitives.ts";

const sameAs = (header: string) => {
  const error = ({ input }: { input?: unknown }) =>
    input === undefined ? `Is required. Send the value of the header ${header} in data too.` : mustBeString;
  return z
    .string({ error })
    .check(...(Text._zod.def.checks ?? []))
    .check(z.describe(`The same value as in the header ${header}. Replace the placeholder in the example with it.`));
};

export const repeatedCredentials = {
  apiKey: sameAs("x-service-api-key"),
  authToken: sameAs("x-service-auth-token"),
};
