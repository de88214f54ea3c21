import { beforeEach, describe, expect, it } from "vitest";
import { agentsConfigResolve } from "../../../functions/models-and-agents/agents-config-resolve.ts";
import { agentsCreate } from "../../../functions/models-and-agents/agents-create.ts";
import { agentsDelete, handler } from "../../../functions/models-and-agents/agents-delete.ts";
import { agentsGet } from "../../../functions/models-and-agents/agents-get.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { callsOf } from "../../support/feature-data.ts";
import { mocked } from "../../support/workspace.ts";

let as: Credentials;
beforeEach(async () => {
  as = await newWorkspace();
});

const create = async () => (await must(agentsCreate, { as, data: { name: "A", instructions: "I" } })).agentId as string;

describe("OK", () => {
  it("deletes the agents, and says of each whether it existed", async () => {
    const [one, other, kept] = [await create(), await create(), await create()];
    const data = { agentIds: [one, "unknown", other, one] };
    const item = (id: string, message: string) => ({ success: true, id, message });
    expect(await must(agentsDelete, { as, data })).toEqual({
      [one]: item(one, "Deleted."),
      [other]: item(other, "Deleted."),
      unknown: item("unknown", "The agent does not exist."),
    });
    const { agents } = await must(agentsGet, { as });
    expect(agents.map(({ agentId }: { agentId: string }) => agentId)).toEqual([kept]);
    expect((await call(agentsConfigResolve, { as, data: { agentId: one } })).error?.status).toBe("NOT_FOUND");
    expect((await must(agentsDelete, { as, data }))[one]).toEqual(item(one, "The agent does not exist."));
  });

  it("leaves another workspace's agent", async () => {
    const agentId = await create();
    const replies = await must(agentsDelete, { as: await newWorkspace(), data: { agentIds: [agentId] } });
    expect(replies[agentId].message).toBe("The agent does not exist.");
    expect((await must(agentsGet, { as })).agents).toHaveLength(1);
  });
});

it("refuses a field that it does not know", async () => {
  const agentId = await create();
  const { error } = await call(agentsDelete, { as, data: { agentIds: [agentId], name: "A" } });
  expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { issues: [{ path: ["name"] }] } });
  expect((await must(agentsGet, { as })).agents).toHaveLength(1);
});

it("makes 10 reads and 40 writes for 1,000 agents, and no write for unknown ones", async () => {
  const agentIds = Array.from({ length: 1_000 }, (_, index) => `a${index}`);
  const rows = agentIds.map((agentId) => ({ pk: "W#w#AGENTS", sk: agentId, agentId, name: "A", createdAt: "now" }));
  const countsOf = async (table: object[]) => {
    const { status, calls } = await callsOf(handler, agentsDelete, { agentIds }, table);
    expect(status).toBe(200);
    const count = (name: string) => calls.filter((each) => each.startsWith(name)).length;
    return [count("BatchGet"), count("BatchWrite"), calls.length];
  };
  expect(await countsOf([...mocked.rows, ...rows])).toEqual([10, 40, 50]);
  expect(await countsOf(mocked.rows)).toEqual([10, 0, 10]);
});
