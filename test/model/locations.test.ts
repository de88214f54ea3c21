// Random sequences of additions, renames, merges and deletions, compared with a model in memory.
import { expect, it } from "vitest";
import type { Credentials } from "../support/call.ts";
import { add, exportOf, newDocument, reaction, remove, update } from "../support/feature-data.ts";
import fc from "../support/property.ts";

type LocationName = { id: string } | { locationName: string };
type Model = Map<string, Map<string, true>>;

type Step =
  | { do: "add"; at: LocationName; isNew: boolean }
  | { do: "update"; from: LocationName; to: LocationName; merge: boolean }
  | { do: "remove"; at: LocationName };

const locationName: fc.Arbitrary<LocationName> = fc.oneof(
  fc.constantFrom("a", "b", "c").map((id) => ({ id })),
  fc.constantFrom("a", "b").map((locationName) => ({ locationName })),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("add" as const), at: locationName, isNew: fc.boolean() }),
  fc.record({ do: fc.constant("update" as const), from: locationName, to: locationName, merge: fc.boolean() }),
  fc.record({ do: fc.constant("remove" as const), at: locationName }),
);

/** Returns the status of the reply. */
async function run(as: Credentials, step: Step, id: string): Promise<string> {
  if (step.do === "add") await add(as, step.at, { reactions: [reaction(id)] });
  else {
    const { error } =
      step.do === "remove" ? await remove(as, step.at) : await update(as, step.from, step.to, { merge: step.merge });
    if (error) return error.status;
  }
  return "OK";
}

/** Makes the step on the model: the items of each location, by the location's JSON. Returns the expected status. */
function runOnModel(model: Model, step: Step, id: string): string {
  if (step.do === "remove") model.delete(JSON.stringify(step.at));
  else if (step.do === "add") itemsOf(model, step.at).set(id, true);
  else {
    const { from, to, merge } = step;
    // With merge, an id that the new object lacks stays, and with it the identity.
    const isSame = JSON.stringify(from) === JSON.stringify(to) || (merge && "id" in from && !("id" in to));
    if (isSame) itemsOf(model, from);
    else if (!merge && model.has(JSON.stringify(to))) return "ALREADY_EXISTS";
    else {
      const moved = model.get(JSON.stringify(from)) ?? new Map();
      model.delete(JSON.stringify(from));
      for (const item of moved.keys()) itemsOf(model, to).set(item, true);
      itemsOf(model, to);
    }
  }
  return "OK";
}

function itemsOf(model: Model, at: LocationName): Map<string, true> {
  const items = model.get(JSON.stringify(at)) ?? new Map<string, true>();
  model.set(JSON.stringify(at), items);
  return items;
}

/** The name of a location, without its other fields. */
const locationNameOf = (location: { id?: string; locationName?: string }): string =>
  JSON.stringify(location.id === undefined ? { locationName: location.locationName } : { id: location.id });

it("locations behave like the model", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const as = await newDocument();
      const model: Model = new Map();
      for (const [index, step] of steps.entries()) {
        const [existing] = step.do === "add" && !step.isNew ? itemsOf(model, step.at).keys() : [];
        const id = existing ?? `r${index}`;
        expect(await run(as, step, id), JSON.stringify(steps.slice(0, index + 1))).toBe(runOnModel(model, step, id));
      }
      const expected = [...model].flatMap(([at, items]) => [...items.keys()].map((item) => `${item} at ${at}`));
      const places = (await exportOf(as)).reactions.map(
        (each: { reactionId: string; location: object }) => `${each.reactionId} at ${locationNameOf(each.location)}`,
      );
      expect(places.sort()).toEqual(expected.sort());
    }),
    { numRuns: 12 },
  );
});
