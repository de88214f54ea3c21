// Values that are derived from a whole request, such as the bytes of a file. Such a value can be impossible to derive.
// So it is derived while the request is validated, and its issues are listed with all other issues. The endpoint then
// takes the value.
import * as z from "zod/mini";
import { ApiError, type Issue } from "../errors.ts";
import { whenValid } from "./when-valid.ts";

/** `derive` throws INVALID_ARGUMENT with issues; `reads`: the fields that it needs, see `whenValid`. */
export function derived<Request extends object, Value>(
  derive: (request: Request) => Value,
  ...reads: readonly (keyof Request & string)[]
) {
  const values = new WeakMap<object, Value>();
  const check = z.check<Request>(
    ({ value, issues }) => {
      try {
        values.set(value, derive(value));
      } catch (thrown) {
        if (!(thrown instanceof ApiError) || thrown.status !== "INVALID_ARGUMENT") throw thrown;
        const { issues: found } = thrown.details as { issues: Issue[] };
        for (const { path, message } of found) issues.push({ code: "custom", input: value, path, message });
      }
    },
    { when: whenValid(...reads) },
  );
  /** The value of a request that was validated, which is derived once. */
  const of = (request: Request): Value => values.get(request) ?? derive(request);
  return { check, of };
}
