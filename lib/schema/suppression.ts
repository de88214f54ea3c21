import * as z from "zod/mini";
import { mailAddress } from "./mail-address.ts";
import { Text } from "./primitives.ts";

export const MailAddress = Text.check(
  z.refine((text) => mailAddress(text) !== undefined, { error: "Must be an email address." }),
  z.meta({ format: "email" }),
);
