import { beforeEach, describe, expect, it } from "vitest";
import {
  agentsConfigResolve,
  handler as resolveHandler,
} from "../../../functions/models-and-agents/agents-config-resolve.ts";
import { agentsCreate, handler as createHandler } from "../../../functions/models-and-agents/agents-create.ts";
import { agentsGet, handler as getHandler } from "../../../functions/models-and-agents/agents-get.ts";
import { agentsUpdate } from "../../../functions/models-and-agents/agents-update.ts";
import { aimodelconfigUpdate } from "../../../functions/models-and-agents/aimodelconfig-update.ts";
import { type Credentials, call, must, newWorkspace } from "../../support/call.ts";
import { callsOf } from "../../support/feature-data.ts";
import { mocked } from "../../support/workspace.ts";

let as: Credentials;
beforeEach(async () => {
  as = await newWorkspace();
});

const fields = {
  name: "Checker",
  description: "Checks.",
  instructions: "Check the title.",
  input: { userContextFields: [{ id: "tone", title: "Tone", type: "text", example: "formal" }] },
};
const create = (more: object = {}) => must(agentsCreate, { as, data: { ...fields, ...more } });

describe("agents/create and get", () => {
  it("store and return an agent", async () => {
    const agent = await create();
    expect(agent).toEqual({
      ...fields,
      agentId: expect.stringMatching(/^agent_/),
      createdAt: expect.any(String),
      updatedAt: agent.createdAt,
    });
    expect(await must(agentsGet, { as })).toEqual({ agents: [agent], nextPageToken: null });
    expect(await must(agentsGet, { as, data: { agentIds: ["x", agent.agentId] } })).toEqual({
      agents: [agent],
      nextPageToken: null,
    });
  });

  it("take the empty list of context fields that most drafts have", async () => {
    const input = { userContextFields: [] };
    const agent = await create({ input });
    expect(agent.input).toEqual(input);
    expect(await must(agentsGet, { as })).toEqual({ agents: [agent], nextPageToken: null });
    expect(await must(agentsUpdate, { as, data: agent })).toEqual({ ...agent, updatedAt: expect.any(String) });
  });

  it("list each agent once over all pages, and none of another workspace", async () => {
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) ids.push((await create({ name })).agentId);
    const seen: string[] = [];
    let pageToken: string | null = null;
    do {
      const page: { agents: { agentId: string }[]; nextPageToken: string | null } = await must(agentsGet, {
        as,
        data: { pageSize: 2, pageToken },
      });
      seen.push(...page.agents.map(({ agentId }) => agentId));
      pageToken = page.nextPageToken;
    } while (pageToken);
    expect(seen).toEqual(ids.sort());
    const other = await newWorkspace();
    expect((await must(agentsGet, { as: other, data: { agentIds: ids } })).agents).toEqual([]);
    expect((await must(agentsGet, { as: other })).agents).toEqual([]);
  });

  it("limit a page of ids by its size, and refuse the page token of another list", async () => {
    const ids = [(await create()).agentId, "no", (await create()).agentId, (await create()).agentId];
    const first = await must(agentsGet, { as, data: { agentIds: ids, pageSize: 2 } });
    expect(first.agents.map(({ agentId }: { agentId: string }) => agentId)).toEqual([ids[0], ids[2]]);
    const rest = { agentIds: ids, pageSize: 2, pageToken: first.nextPageToken };
    expect(await must(agentsGet, { as, data: rest })).toMatchObject({
      agents: [{ agentId: ids[3] }],
      nextPageToken: null,
    });
    const { nextPageToken } = await must(agentsGet, { as, data: { pageSize: 1 } });
    for (const data of [{ agentIds: ids, pageToken: nextPageToken }, { pageToken: first.nextPageToken }]) {
      const { error } = await call(agentsGet, { as, data });
      expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { issues: [{ path: ["pageToken"] }] } });
    }
  });

  it("refuse a page token that was not issued, beside ids too", async () => {
    const { agentId } = await create();
    for (const data of [{ pageToken: "AAAA" }, { pageToken: "AAAA", agentIds: [agentId] }]) {
      const { error } = await call(agentsGet, { as, data });
      expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { issues: [{ path: ["pageToken"] }] } });
    }
  });

  it.each([
    ["an empty name", { name: "" }, ["name"]],
    ["missing instructions", { instructions: null }, ["instructions"]],
    [
      "a context field without a title",
      { input: { userContextFields: [{ id: "a", type: "b" }] } },
      ["input", "userContextFields", "0", "title"],
    ],
  ])("refuse %s", async (_, more, path) => {
    const { status, error } = await call(agentsCreate, { as, data: { ...fields, ...more } });
    expect(status).toBe(400);
    expect(error?.details?.issues).toMatchObject([{ path }]);
    expect((await must(agentsGet, { as })).agents).toEqual([]);
  });
});

describe("agents/config/resolve", () => {
  it("returns the model that an agent would use: of the given provider, else of the workspace", async () => {
    const agent = await create();
    const resolve = (more: object = {}) => must(agentsConfigResolve, { as, data: { agentId: agent.agentId, ...more } });
    expect(await resolve()).toMatchObject({ agent, model: { provider: "openai", hasApiKey: false } });
    const providers = { anthropic: { apiKey: "sk-secret", model: "claude-opus-4" } };
    await must(aimodelconfigUpdate, { as, data: { providers } });
    expect(await resolve()).toMatchObject({
      model: { provider: "anthropic", model: "claude-opus-4", hasApiKey: true },
    });
    expect(await resolve({ provider: "google" })).toMatchObject({ model: { provider: "gemini", hasApiKey: false } });
  });

  it("refuses an unknown provider, an unknown agent, and an agent of another workspace", async () => {
    const { agentId } = await create();
    const statusOf = async (data: object, who = as) =>
      (await call(agentsConfigResolve, { as: who, data: { agentId, ...data } })).error?.status;
    expect(await statusOf({ provider: "acme" })).toBe("INVALID_ARGUMENT");
    expect(await statusOf({ agentId: "x" })).toBe("NOT_FOUND");
    expect(await statusOf({}, await newWorkspace())).toBe("NOT_FOUND");
  });
});

describe("AWS calls", () => {
  const agent = { pk: "W#w#AGENTS", sk: "a", agentId: "a", name: "A", instructions: "I", createdAt: "" };
  const table = [...mocked.rows, agent];

  it.each([
    [
      "create",
      createHandler,
      agentsCreate,
      fields,
      [expect.stringMatching(/^TransactWrite Put W#w#AGENTS agent_\S+ if absent$/)],
    ],
    ["get", getHandler, agentsGet, {}, ["Query W#w#AGENTS"]],
    ["get, by id", getHandler, agentsGet, { agentIds: ["a"] }, ["Get W#w#AGENTS a"]],
    ["resolve", resolveHandler, agentsConfigResolve, { agentId: "a" }, ["BatchGet W#w SETTING#ai, W#w#AGENTS a"]],
  ])("%s makes one call", async (_, handler, endpoint, data, expected) => {
    const { status, calls } = await callsOf(handler, endpoint, data, table);
    expect({ status, calls }).toEqual({ status: 200, calls: expected });
  });
});
