import { beforeAll, expect, it } from "vitest";
import { prepareFurniture } from "../support/contract/furnished-workspace.ts";
import { posts } from "../support/contract/requests.ts";
import { usagesOf } from "../support/cost/calls.ts";

beforeAll(() => prepareFurniture());

it.each(posts.filter(({ users }) => users))(
  "$name costs a user at most one request more to the table than a server, and nine read units",
  async (endpoint) => {
    for (const { user, server } of await usagesOf(endpoint)) {
      expect(user.trips).toBeLessThanOrEqual(server.trips + 1);
      expect(user.readUnits).toBeLessThanOrEqual(server.readUnits + 9);
    }
  },
);
