// In a file of its own, because a bundle that imports a file contains all schemas of the file.
import * as z from "zod/mini";
import { Text } from "./primitives.ts";

/** What replies show in place of a secret. In a request, it keeps the stored secret, so a reply can be sent back. */
export const mask = "••••••••";

const ascii = /^[\x21-\x7e]*$/;
const mustBeAscii = "Must be printable ASCII without spaces.";

/** A secret that is sent in an HTTP header: only characters that a header allows. It can be empty. */
export const PlainHeaderValue = Text.check(z.regex(ascii, mustBeAscii));

/** A secret like this that replies mask. It can be the mask. */
export const HeaderValue = Text.check(
  z.refine((secret) => secret === mask || ascii.test(secret), { error: mustBeAscii }),
  z.meta({ pattern: `${ascii.source}|^${mask}$` }),
);

/** The secret of a request; undefined: the stored one stays. */
export const unmasked = (secret: string | undefined) => (secret === mask ? undefined : secret);
