import { beforeEach, describe, expect, it } from "vitest";
import { agentsCreate } from "../../../functions/models-and-agents/agents-create.ts";
import { agentsDelete } from "../../../functions/models-and-agents/agents-delete.ts";
import { agentsGet } from "../../../functions/models-and-agents/agents-get.ts";
import { agentsUpdate, handler } from "../../../functions/models-and-agents/agents-update.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { callsOf } from "../../support/feature-data.ts";
import { mocked } from "../../support/workspace.ts";

const fields = {
  name: "Checker",
  description: "Checks.",
  instructions: "Check the title.",
  input: { userContextFields: [{ id: "tone", title: "Tone", type: "text", example: "formal" }] },
};
let as: Credentials;
let agentId: string;
beforeEach(async () => {
  as = await newWorkspace();
  agentId = (await must(agentsCreate, { as, data: fields })).agentId;
});

const update = (data: object) => call(agentsUpdate, { as, data: { agentId, ...data } });
const stored = async () => (await must(agentsGet, { as, data: { agentIds: [agentId] } })).agents[0];

describe("OK", () => {
  it("changes the given fields and keeps the others", async () => {
    const before = await stored();
    const { data } = await update({ name: "Reader" });
    expect(data).toEqual({ ...before, name: "Reader", updatedAt: expect.any(String) });
    expect(await stored()).toEqual(data);
  });

  it("clears description and input with null; null for another field is as if absent", async () => {
    await update({ description: null, input: null, name: null, instructions: null });
    const { description: _, input: __, ...rest } = fields;
    expect(await stored()).toEqual({ ...rest, agentId, createdAt: expect.any(String), updatedAt: expect.any(String) });
  });

  it("writes nothing when no field changes", async () => {
    const before = await stored();
    expect((await update(fields)).data).toEqual(before);
    expect(await stored()).toEqual(before);
  });

  it("keeps concurrent changes of different fields", async () => {
    const changes = [{ name: "Reader" }, { description: "Reads." }, { instructions: "Read." }, { input: null }];
    const replies = await Promise.all(changes.map(update));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { input: _, ...rest } = await stored();
    expect(rest).toMatchObject({ name: "Reader", description: "Reads.", instructions: "Read." });
    expect(_).toBeUndefined();
  });
});

describe("NOT_FOUND", () => {
  it("is returned for an unknown agent, another workspace's, and a deleted one, which does not come back", async () => {
    const data = { agentId, name: "x" };
    expect((await call(agentsUpdate, { as: await newWorkspace(), data })).error?.status).toBe("NOT_FOUND");
    expect((await update({ agentId: "unknown", name: "x" })).error?.status).toBe("NOT_FOUND");
    const [{ status }] = await Promise.all([
      update({ name: "x" }),
      must(agentsDelete, { as, data: { agentIds: [agentId] } }),
    ]);
    expect([200, 404]).toContain(status);
    expect((await update({ name: "y" })).error?.status).toBe("NOT_FOUND");
    expect(await stored()).toBeUndefined();
  });
});

describe("INVALID_ARGUMENT", () => {
  it("is returned for an agent that would become larger than 256 KB, and for one that is created so", async () => {
    const userContextFields = (count: number) => ({
      userContextFields: Array.from({ length: count }, (_, index) => ({
        id: `f${index}`,
        title: "t".repeat(60_000),
        type: "text",
      })),
    });
    expect((await update({ input: userContextFields(4) })).status).toBe(200);
    const before = await stored();
    const { error } = await update({ description: "d".repeat(60_000) });
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", message: expect.stringContaining("262,144 bytes") });
    expect(await stored()).toEqual(before);
    const large = { ...fields, input: userContextFields(5) };
    expect((await call(agentsCreate, { as, data: large })).error?.status).toBe("INVALID_ARGUMENT");
    expect((await update(large)).error?.status).toBe("INVALID_ARGUMENT");
  });

  it.each([
    ["no field to change", {}, ""],
    ["an empty name", { name: "" }, "name"],
    ["an input without a list of fields", { input: {} }, "input.userContextFields"],
  ])("is returned for %s, and changes nothing", async (_, data, path) => {
    const before = await stored();
    const { error } = await update(data);
    expect(error).toMatchObject({
      status: "INVALID_ARGUMENT",
      details: { issues: [{ path: path.split(".").filter(Boolean) }] },
    });
    expect(await stored()).toEqual(before);
  });
});

it("makes one read and one write, on the condition that nobody changed the agent", async () => {
  const agent = { pk: "W#w#AGENTS", sk: "a", agentId: "a", name: "A", instructions: "I", createdAt: "now" };
  const table = [...mocked.rows, agent];
  const { status, calls } = await callsOf(handler, agentsUpdate, { agentId: "a", name: "B" }, table);
  expect(status).toBe(200);
  expect(calls).toEqual(["Get W#w#AGENTS a", "TransactWrite Put W#w#AGENTS a if {createdAt & no revision}"]);
});
