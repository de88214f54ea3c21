// Random steps of the model test.
import { type Fields, identityOf, type Kind, type LocationData, type Model } from "../support/model.ts";
import fc from "../support/property.ts";

export const documentIds = ["a", "b", "c"];
export const userIds = ["u", "v", "w"];
export const editorIds = ["e", "f"];

const oneOf = fc.constantFrom;
const [documentId, userId, role] = [
  oneOf(...documentIds),
  oneOf(...userIds),
  oneOf("viewer" as const, "editor" as const),
];
const location: fc.Arbitrary<Fields> = oneOf<Fields[]>(
  { id: "1" },
  { id: "2", locationName: "One", page: 2 },
  { locationName: "One" },
);
const flag = fc.boolean();
const few = (ids: string[]) => fc.subarray(ids, { minLength: 1 });

const shapes = {
  addDocument: fc.record({ documentId }),
  deleteDocuments: fc.record({ ids: fc.subarray(documentIds, { minLength: 1, maxLength: 2 }) }),
  addFeature: fc.record({
    documentId,
    location,
    kind: oneOf<Kind[]>("comments", "reactions", "recordings"),
    id: oneOf("x", "y"),
    by: userId,
    also: userId,
  }),
  addMany: fc.record({ documentId, location, by: userId }),
  updateLocation: fc.record({ documentId, from: location, to: location, merge: flag }),
  removeLocation: fc.record({ documentId, location }),
  migrate: fc.record({ documentId, newDocumentId: documentId }),
  notify: fc.record({
    documentId,
    notificationId: oneOf("n", "m"),
    named: fc.subarray(userIds),
    notifyAll: flag,
    verify: flag,
    createDocument: flag,
  }),
  addText: fc.record({ documentId, editorId: oneOf(...editorIds), text: oneOf("", "one", "two") }),
  enter: fc.record({ documentId, ids: few(userIds), lifetimeSeconds: oneOf(50, 86_400) }),
  leave: fc.record({ documentId, ids: few(userIds) }),
  addUser: fc.record({ userId, documentId: fc.option(documentId, { nil: undefined }), role }),
  deleteUser: fc.record({ userId }),
  grant: fc.record({ userId, documentId, role }),
  /** Waits, then runs the jobs that are due. With `deathAt`, each purge is killed after that many calls. */
  work: fc.record({ seconds: oneOf(0, 61), isShort: flag, deathAt: fc.option(fc.nat(12), { nil: undefined }) }),
};
type Shapes = typeof shapes;
export type Data<Name extends keyof Shapes> = Shapes[Name] extends fc.Arbitrary<infer T> ? T : never;
export type Step = { [Name in keyof Shapes]: { do: Name; isStray: boolean } & Data<Name> }[keyof Shapes];

const weights: Partial<Record<keyof Shapes, number>> = {
  addFeature: 6,
  updateLocation: 4,
  removeLocation: 2,
  work: 4,
  notify: 3,
  migrate: 2,
  grant: 2,
};
const isStray = fc.nat(5).map((chance) => chance === 0);
export const step: fc.Arbitrary<Step> = fc.oneof(
  ...Object.entries(shapes).map(([name, shape]) => ({
    weight: weights[name as keyof Shapes] ?? 1,
    arbitrary: fc.tuple(shape as fc.Arbitrary<object>, isStray).map(([data, isStray]) => {
      return { do: name, isStray, ...data } as Step;
    }),
  })),
);

/** The first steps of every sequence. */
export const start: Step[] = [
  { do: "addDocument", isStray: false, documentId: "a" },
  { do: "addUser", isStray: false, userId: "u", documentId: undefined, role: "editor" },
];

/** Replaces ids that do not exist by ids that do, except in stray steps: most random ids do not exist. */
export function aimed(model: Model, step: Step): Step {
  const [first] = model.documents.keys();
  const free = documentIds.find((id) => !model.documents.has(id));
  if (step.isStray || first === undefined || step.do === "work" || !("documentId" in step)) return step;
  if (["addDocument", "addUser", "grant"].includes(step.do)) return step;
  const documentId = model.documents.has(step.documentId as string) ? (step.documentId as string) : first;
  if (step.do === "migrate" && free) return { ...step, documentId, newDocumentId: free };
  const locations = model.documents.get(documentId)?.locations ?? new Map<string, LocationData>();
  const [known] = locations.values();
  const near = (location: Fields) => (locations.has(identityOf(location)) ? location : (known?.location ?? location));
  if (step.do === "updateLocation") {
    const from = near(step.from);
    const other = [...locations.values()].find(({ location }) => identityOf(location) !== identityOf(from));
    return { ...step, documentId, from, ...(step.merge && other && { to: other.location }) };
  }
  if (step.do === "removeLocation") return { ...step, documentId, location: near(step.location) };
  return { ...step, documentId } as Step;
}
