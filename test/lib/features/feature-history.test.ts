import { expect, it } from "vitest";
import { featuresOf } from "../../../lib/features/feature-history.ts";
import { newLiveness } from "../../../lib/features/liveness.ts";
import { formerParticipant } from "../../support/former-participant.ts";

it("featuresOf loads no item for a former participant whose entry is not deleted yet", async () => {
  const { ref, user } = await formerParticipant();
  const source = featuresOf(user, ref.kind, newLiveness(user));
  const { items } = await source.read(10, undefined);
  expect(await source.canShow?.(items)).toEqual([true]);
  expect(await source.show(items)).toEqual([undefined]);
});
