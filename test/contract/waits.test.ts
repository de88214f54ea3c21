// Calls that wait for someone else who does not answer (DECISIONS.md#waits-for-others).
import { describe, expect, it } from "vitest";
import { memoryAsk } from "../../functions/memory/memory-ask.ts";
import { aimodelconfigUpdate } from "../../functions/models-and-agents/aimodelconfig-update.ts";
import { askAi } from "../../functions/models-and-agents/ask-ai.ts";
import { permissionsGet } from "../../functions/permissions/permissions-get.ts";
import { permissionproviderconfigUpdate } from "../../functions/workspace-settings/permissionproviderconfig-update.ts";
import type { Endpoint } from "../../lib/http/endpoint.ts";
import { slotCounts } from "../../lib/store/waiting-slot.ts";
import { type Credentials, call, must, type Reply } from "../support/call.ts";
import { judgment, remember } from "../support/memory.ts";
import { listen } from "../support/net/listen.ts";
import { silentServer } from "../support/net/silent-server.ts";
import { itemsOf } from "../support/scan.ts";
import { untilHolds } from "../support/turns.ts";
import { newOrganization, organizationId } from "../support/workspace.ts";

interface Case {
  endpoint: Pick<Endpoint, "name">;
  kind: "model" | "provider";
  data: object;
  /** The reply when the other side fails. */
  failure: object;
}

const cases: Case[] = [
  {
    endpoint: askAi,
    kind: "model",
    data: { model: "gpt-5-mini", prompt: "Shorten.", text: "A long text." },
    failure: { status: 200, data: { result: { success: false } } },
  },
  {
    endpoint: memoryAsk,
    kind: "model",
    data: { question: "Why was the discount not approved?" },
    failure: { status: 503, error: { status: "UNAVAILABLE" } },
  },
  {
    endpoint: permissionsGet,
    kind: "provider",
    data: { organizationId, userIds: ["u"] },
    failure: {
      status: 200,
      data: { u: { organization: { [organizationId]: { errorCode: "something_went_wrong" } } } },
    },
  },
];

/** A workspace whose model and permission provider are at the port. */
async function newWorkspaceAt(port: number): Promise<Credentials> {
  const as = await newOrganization();
  const url = `http://127.0.0.1:${port}/`;
  await must(aimodelconfigUpdate, { as, data: { providers: { openai: { apiKey: "sk", baseUrl: url } } } });
  const permissionProviderConfig = { permissionProviderUrl: url, authToken: "secret" };
  await must(permissionproviderconfigUpdate, {
    as,
    data: { usePermissionProvider: true, permissionProviderConfig },
  });
  await remember(as, judgment("The discount was never approved by legal."));
  return as;
}

const slotsOf = async ({ apiKey }: Credentials) =>
  (await itemsOf(apiKey)).filter(({ pk }) => pk.endsWith("#%SLOTS")) as unknown as { sk: string; until: number }[];

describe.each(cases)("$endpoint.name", ({ endpoint, kind, data, failure }) => {
  const count = slotCounts[kind];

  it("refuses at once the calls above the workspace's slots, serves other workspaces, and frees the slots", async () => {
    const [silent, failing] = [silentServer(), silentServer()];
    failing.answer();
    const as = await newWorkspaceAt(await listen(silent.respond));
    const other = await newWorkspaceAt(await listen(failing.respond));

    const replies: Reply[] = [];
    const calls = Array.from({ length: count + 5 }, async () => {
      replies.push(await call(endpoint, { as, data, remainingMs: 28_000 }));
    });
    await untilHolds(() => replies.length === 5 && silent.state.inFlight === count);
    const message = expect.stringMatching(
      new RegExp(`^The workspace has ${count} calls that wait for .+\\. Try again after 2 s\\.$`),
    );
    // The contract has an envelope for what keeps ask-ai from processing.
    const refused =
      endpoint.name === "ask-ai"
        ? { status: 200, body: { result: { success: false, error: message } } }
        : { status: 429, error: { status: "RESOURCE_EXHAUSTED", message } };
    for (const reply of replies) {
      expect(reply).toMatchObject(refused);
      expect(reply.headers["retry-after"]).toBe("2");
    }
    expect(await call(endpoint, { as: other, data })).toMatchObject(failure);

    silent.answer();
    await Promise.all(calls);
    expect(silent.state.most).toBe(count);
    for (const reply of replies.slice(5)) expect(reply).toMatchObject(failure);
    const slots = await slotsOf(as);
    expect(slots).toHaveLength(count);
    expect(slots.filter(({ until }) => until !== 0)).toEqual([]);
    const { requests } = silent.state;
    expect(await call(endpoint, { as, data })).toMatchObject(failure);
    expect(silent.state.requests).toBeGreaterThan(requests);
  });
});

it("takes no slot for a call that need not wait", async () => {
  const as = await newOrganization();
  for (const { endpoint, data } of cases) expect((await call(endpoint, { as, data })).status).toBe(200);
  expect(await slotsOf(as)).toEqual([]);
});
