// Groups with many members, over tables in memory: a page of members and the deletion of a group cost the same at any
// size, and each run of the purge is bounded.
import { expect, it } from "vitest";
import * as usergroupsDelete from "../../../functions/user-groups/usergroups-delete.ts";
import * as usergroupsGet from "../../../functions/user-groups/usergroups-get.ts";
import { purge } from "../../../functions/workers/purge.ts";
import { createMissing } from "../../../lib/content/existing.ts";
import { putAll } from "../../../lib/dynamodb/batch-write.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import { userEntity } from "../../../lib/store/access/user.ts";
import * as UserGroup from "../../../lib/store/access/user-group.ts";
import { type Credentials, newWorkspace } from "../../support/call.ts";
import { logs } from "../../support/capture-logs.ts";
import { newTableInMemory } from "../../support/engine/in-memory.ts";
import { fakeDates, later } from "../../support/fake-dates.ts";
import { deliver } from "../../support/run-worker.ts";
import { itemsOf } from "../../support/scan.ts";
import { callSource } from "../../support/source-call.ts";

fakeDates();

const organizationId = "o";
const group = { organizationId, organizationUserGroupId: "g" };
const pageSize = 100;

/** The group `g`, in a new table. Only the users of the first pages have items. */
async function withMembers(count: number): Promise<Credentials> {
  newTableInMemory();
  const as = await newWorkspace();
  const ref = { workspace: as.apiKey, organizationId };
  await createMissing(ref, [ref]);
  await commit([UserGroup.creation({ ...ref, ...group }, undefined)]);
  const [life] = await UserGroup.refsOf(ref, ["g"]);
  const ids = Array.from({ length: count }, (_, index) => `u${String(index).padStart(6, "0")}`);
  const profile = { organizationId, createdAt: "now", updatedAt: "now" };
  await putAll([
    ...ids.map((userId) =>
      UserGroup.groupMemberEntity.put({ ...(life as UserGroup.GroupLifeRef), userId }, { userId }),
    ),
    ...ids.slice(0, 3 * pageSize).map((userId) => userEntity.put({ ...ref, userId }, { ...profile, userId })),
  ]);
  return as;
}

const costOf = (name: string) => {
  const { readUnits, writeUnits, roundTrips } = logs().findLast(({ endpoint }) => endpoint === name) ?? {};
  return { readUnits, writeUnits, roundTrips };
};

it("a page of members, the next page and the deletion cost the same with 300 members and with 100,000", async () => {
  const costs: object[][] = [];
  for (const count of [3 * pageSize, 100_000]) {
    const as = await withMembers(count);
    const data = { ...group, withMembers: true, pageSize };
    const first = await callSource(usergroupsGet, as, data);
    expect(first.data.members).toHaveLength(pageSize);
    const ofFirst = costOf("usergroups-get");
    const next = await callSource(usergroupsGet, as, { ...data, pageToken: first.data.nextPageToken });
    expect(next.data.members).toHaveLength(pageSize);
    const ofNext = costOf("usergroups-get");
    await callSource(usergroupsDelete, as, { organizationId, organizationUserGroupIds: ["g"] });
    costs.push([ofFirst, ofNext, costOf("usergroups-delete")]);
  }
  expect(costs[1]).toEqual(costs[0]);
});

it("the purge of 10,000 members goes on over runs that end with their time", async () => {
  const as = await withMembers(10_000);
  await callSource(usergroupsDelete, as, { organizationId, organizationUserGroupIds: ["g"] });
  const items = await itemsOf(as.apiKey);
  const job = items.find(({ kind }) => kind === "purge");
  const left: number[] = [];
  for (let runs = 0; runs < 30; runs++) {
    later(61);
    await deliver(purge, [job?.id as string], 4_000);
    const now = await itemsOf(as.apiKey);
    left.push(now.filter(({ entity }) => entity === "user-group-member").length);
    if (now.find(({ id }) => id === job?.id)?.state === "done") break;
  }
  // A run that has no time for more deletes one step of 500.
  expect(left.slice(0, 21)).toEqual(Array.from({ length: 21 }, (_, run) => Math.max(0, 9_500 - run * 500)));
  expect(left.length).toBeLessThan(25);
});
