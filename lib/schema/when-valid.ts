// Rules over several fields of an object. zod skips the checks of an object of which any field is invalid. A check with
// `when: whenValid(...)` runs if the fields that it reads are valid, so one failure lists all issues.

interface Parsed {
  value: unknown;
  issues: readonly { path?: PropertyKey[] | undefined; continue?: boolean | undefined }[];
}

/**
 * `reads` names the fields that the check reads, such as `filters.annotationId` for a nested field. Other fields can
 * have any value when the check runs. Without names, the check must work with any object.
 */
export function whenValid(...reads: readonly string[]): (parsed: Parsed) => boolean {
  const paths = reads.map((field) => field.split("."));
  return ({ value, issues }) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    // `continue`: the field has a value of the right type, and a later check may read it.
    const wrong = issues.filter((issue) => issue.continue !== true);
    return !wrong.some(({ path = [] }) => paths.some((read) => areOnOneLine(path.map(String), read)));
  };
}

/** Whether one path is the other, or leads to it. */
const areOnOneLine = (one: readonly string[], other: readonly string[]) =>
  one.slice(0, other.length).every((name, depth) => name === other[depth]);
