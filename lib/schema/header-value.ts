// In a file of its own, because a bundle that imports a file contains all schemas of the file.
import * as z from "zod/mini";
import { Text } from "./primitives.ts";

/** A secret that is sent in an HTTP header: only characters that a header allows. It can be empty. */
export const HeaderValue = Text.check(z.regex(/^[\x21-\x7e]*$/, "Must be printable ASCII without spaces."));
