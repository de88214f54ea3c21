// Checks an uploaded file before it is stored or read.
import { type Issue, invalidArgument } from "../errors.ts";
import { fits, kindOf, mimeTypes } from "./file-type.ts";
import { fileBytesMax } from "./limits.ts";

/**
 * Returns the file's bytes and kind. Throws INVALID_ARGUMENT with all issues, in the order of the contract's errors.
 */
export function uploadOf({ fileBase64, mimeType }: { fileBase64: string; mimeType: string }) {
  const bytes = decoded(fileBase64);
  const kind = kindOf(mimeType);
  const issues: Issue[] = [];
  if (!bytes) issues.push(about("fileBase64", "Must be base64."));
  if (!kind) issues.push(about("mimeType", `Is not supported: use one of ${mimeTypes.join(", ")}.`));
  if (bytes && bytes.length > fileBytesMax) issues.push(about("fileBase64", "Must have at most 5 MB decoded."));
  if (bytes && kind && issues.length === 0) {
    if (fits(bytes, kind)) return { bytes, kind };
    issues.push(about("fileBase64", "Does not match mimeType."));
  }
  throw invalidArgument(issues);
}

/** Accepts white space and missing padding, which are common. Undefined: not base64. */
function decoded(fileBase64: string): Buffer | undefined {
  const text = /\s/.test(fileBase64) ? fileBase64.replace(/\s+/g, "") : fileBase64;
  const digits = text.replace(/={1,2}$/, "");
  return /^[A-Za-z0-9+/]+$/.test(digits) && digits.length % 4 !== 1 ? Buffer.from(text, "base64") : undefined;
}

const about = (field: string, message: string): Issue => ({ code: "custom", path: [field], message });
