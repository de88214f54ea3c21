import { expect, it } from "vitest";
import * as Table from "../../../../lib/dynamodb/table.ts";
import { commit } from "../../../../lib/jobs/commit.ts";
import * as Feature from "../../../../lib/store/features/feature.ts";
import { participationEntity } from "../../../../lib/store/features/participation.ts";
import { formerParticipant } from "../../../support/former-participant.ts";

it("Feature.deleteFormerEntries keeps the entry of a participant who is added again before the deletion", async () => {
  const { ref, user, others, stored } = await formerParticipant();
  const entries = async () => (await Table.query(participationEntity.range({ ...user, kind: ref.kind }))).items;
  expect(await entries()).toHaveLength(1);
  const again = { ...others, participants: [...others.participants, user.userId] };
  expect(await commit(Feature.replacing(ref, again, stored).writes)).toBe(true);
  await Feature.deleteFormerEntries(ref, stored);
  expect(await entries()).toHaveLength(1);
});
