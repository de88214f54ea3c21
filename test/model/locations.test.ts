// Random sequences of additions, renames, merges and deletions, held against a model in memory.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Credentials } from "../support/call.ts";
import { add, exportOf, newDocument, reaction, remove, update } from "../support/feature-data.ts";

type Place = { id: string } | { locationName: string };
type Model = Map<string, Map<string, true>>;

type Step =
  | { do: "add"; at: Place; isNew: boolean }
  | { do: "update"; from: Place; to: Place; merge: boolean }
  | { do: "remove"; at: Place };

const place: fc.Arbitrary<Place> = fc.oneof(
  fc.constantFrom("a", "b", "c").map((id) => ({ id })),
  fc.constantFrom("a", "b").map((locationName) => ({ locationName })),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant("add" as const), at: place, isNew: fc.boolean() }),
  fc.record({ do: fc.constant("update" as const), from: place, to: place, merge: fc.boolean() }),
  fc.record({ do: fc.constant("remove" as const), at: place }),
);

/** The status of the answer. */
async function run(as: Credentials, step: Step, id: string): Promise<string> {
  if (step.do === "add") await add(as, step.at, { reactions: [reaction(id)] });
  else {
    const { error } =
      step.do === "remove" ? await remove(as, step.at) : await update(as, step.from, step.to, { merge: step.merge });
    if (error) return error.status;
  }
  return "OK";
}

/** The same on the model: locations by their JSON, with what they hold. */
function follow(model: Model, step: Step, id: string): string {
  if (step.do === "remove") model.delete(JSON.stringify(step.at));
  else if (step.do === "add") heldBy(model, step.at).set(id, true);
  else {
    const { from, to, merge } = step;
    // With merge an id stays, and stays what names the location; without, only the new object counts.
    const isSame = JSON.stringify(from) === JSON.stringify(to) || (merge && "id" in from && !("id" in to));
    if (isSame) heldBy(model, from);
    else if (!merge && model.has(JSON.stringify(to))) return "ALREADY_EXISTS";
    else {
      const moved = model.get(JSON.stringify(from)) ?? new Map();
      model.delete(JSON.stringify(from));
      for (const item of moved.keys()) heldBy(model, to).set(item, true);
      heldBy(model, to);
    }
  }
  return "OK";
}

function heldBy(model: Model, at: Place): Map<string, true> {
  const held = model.get(JSON.stringify(at)) ?? new Map<string, true>();
  model.set(JSON.stringify(at), held);
  return held;
}

/** What names a location, whatever else it has. */
const nameOf = (location: { id?: string; locationName?: string }): string =>
  JSON.stringify(location.id === undefined ? { locationName: location.locationName } : { id: location.id });

it("locations do what the model does", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const as = await newDocument();
      const model: Model = new Map();
      for (const [index, step] of steps.entries()) {
        const [held] = step.do === "add" && !step.isNew ? heldBy(model, step.at).keys() : [];
        const id = held ?? `r${index}`;
        expect(await run(as, step, id), JSON.stringify(steps.slice(0, index + 1))).toBe(follow(model, step, id));
      }
      const expected = [...model].flatMap(([at, items]) => [...items.keys()].map((item) => `${item} at ${at}`));
      const places = (await exportOf(as)).reactions.map(
        (each: { reactionId: string; location: object }) => `${each.reactionId} at ${nameOf(each.location)}`,
      );
      expect(places.sort()).toEqual(expected.sort());
    }),
    { numRuns: 12 },
  );
});
