import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { aimodelconfigUpdate, handler as update } from "../../../functions/models-and-agents/aimodelconfig-update.ts";
import { askAi, handler } from "../../../functions/models-and-agents/ask-ai.ts";
import { aiVendors } from "../../../lib/schema/setting-names.ts";
import { hold, release, slotCounts } from "../../../lib/store/waiting-slot.ts";
import { mockAws } from "../../support/aws/mock.ts";
import { type Credentials, call, contextOf, eventOf, must, newWorkspace } from "../../support/call.ts";
import { logs, logText } from "../../support/capture-logs.ts";
import { newTableInMemory } from "../../support/engine/in-memory.ts";
import { type Mode, startVendorServer, type VendorServer } from "../../support/vendor.ts";
import { callSource, mocked } from "../../support/workspace.ts";

const key = "sk-secret-key-4711";
const models = { openai: "gpt-5-mini", anthropic: "claude-haiku-4-5", gemini: "gemini-2.5-flash" };

let vendor: VendorServer;
let alice: Credentials;

beforeAll(async () => {
  vendor = await startVendorServer();
  alice = await newWorkspace();
  const providers = Object.fromEntries(
    aiVendors.map((each) => [each, { apiKey: `${key}-${each}`, baseUrl: vendor.baseUrl(each) }]),
  );
  await must(aimodelconfigUpdate, { as: alice, data: { providers } });
});
afterAll(() => vendor.close());
afterEach(() => vi.unstubAllEnvs());

const ask = async (model: string, as = alice, data: object = {}) =>
  (await must(askAi, { as, data: { model, prompt: "Shorten.", text: "A long text.", ...data } })).result;

describe("OK", () => {
  it.each(aiVendors)(
    "%s: sends the instruction as system prompt, the text as user message, and the workspace's key",
    async (each) => {
      vendor.behave("Short.");
      expect(await ask(models[each])).toEqual({ success: true, text: "Short." });
      expect(vendor.requests).toMatchObject([{ vendor: each, model: models[each], apiKey: `${key}-${each}` }]);
      const { body } = vendor.requests[0] as { body: Record<string, unknown> };
      const expected = {
        openai: {
          messages: [
            { role: "developer", content: "Shorten." },
            { role: "user", content: "A long text." },
          ],
        },
        anthropic: {
          system: [{ text: "Shorten." }],
          messages: [{ role: "user", content: [{ text: "A long text." }] }],
        },
        gemini: {
          systemInstruction: { parts: [{ text: "Shorten." }] },
          contents: [{ role: "user", parts: [{ text: "A long text." }] }],
        },
      };
      expect(body).toMatchObject(expected[each]);
    },
  );

  it.each([
    ["gpt-5-mini", { max_completion_tokens: 16_384 }],
    ["o3", { max_completion_tokens: 16_384 }],
    ["gpt-4o", { max_tokens: 16_384 }],
    ["gpt-4o-2024-08-06", { max_tokens: 16_384 }],
    ["gpt-4o-2024-05-13", { max_tokens: 4_096 }],
    ["chatgpt-4o-latest", { max_tokens: 16_384 }],
    ["gpt-4.1-mini", { max_tokens: 16_384 }],
    ["gpt-4", { max_tokens: 4_096 }],
    ["gpt-4-turbo", { max_tokens: 4_096 }],
    ["gpt-3.5-turbo", { max_tokens: 4_096 }],
    ["claude-haiku-4-5", { max_tokens: 16_384 }],
    ["claude-3-7-sonnet-20250219", { max_tokens: 16_384 }],
    ["claude-3-5-sonnet-20241022", { max_tokens: 8_192 }],
    ["claude-3-5-haiku-latest", { max_tokens: 8_192 }],
    ["claude-3-opus-20240229", { max_tokens: 4_096 }],
    ["claude-3-haiku-20240307", { max_tokens: 4_096 }],
    ["claude-2.1", { max_tokens: 4_096 }],
    ["claude-instant-1.2", { max_tokens: 4_096 }],
    ["gemini-2.5-flash", { generationConfig: { maxOutputTokens: 16_384 } }],
    ["gemini-flash-latest", { generationConfig: { maxOutputTokens: 16_384 } }],
    ["gemini-2.0-flash-lite-001", { generationConfig: { maxOutputTokens: 8_192 } }],
    ["gemini-1.5-pro-002", { generationConfig: { maxOutputTokens: 8_192 } }],
    ["gemini-1.0-pro", { generationConfig: { maxOutputTokens: 2_048 } }],
    ["gemini-pro", { generationConfig: { maxOutputTokens: 2_048 } }],
  ])("%s: asks for no more tokens than the model may write", async (model, limit) => {
    vendor.behave("Short.");
    await ask(model);
    expect(vendor.requests.at(-1)?.body).toMatchObject(limit);
  });

  it.each(["o1", "o3", "o4", "o1-mini", "o3-pro", "o4-mini-2025-04-16"])(
    "%s: sends instruction and text in one user message",
    async (model) => {
      vendor.behave("Short.");
      expect(await ask(model)).toEqual({ success: true, text: "Short." });
      expect(vendor.requests[0]?.body.messages).toEqual([{ role: "user", content: "Shorten.\n\nA long text." }]);
    },
  );

  it.each(["gpt-4o", "chatgpt-4o-latest", "gpt-4.1"])("%s: goes to OpenAI, with a system prompt", async (model) => {
    vendor.behave("Short.");
    await ask(model);
    expect(vendor.requests[0]?.body.messages).toMatchObject([{ role: "system" }, { role: "user" }]);
  });

  it.each(["llama-3", "o2", "o10-mini", "gpt", "claude", "GPT-4o", "ft:gpt-4o:x"])(
    "%s: has no vendor, so nothing is sent",
    async (model) => {
      vendor.behave("Short.");
      expect(await ask(model)).toEqual({ success: false, error: expect.stringContaining("no known vendor") });
      expect(vendor.requests).toEqual([]);
    },
  );

  it("never uses the key of another workspace", async () => {
    vendor.behave("Short.");
    const error = "No API key for OpenAI is configured: set it in the workspace's AI model configuration.";
    expect(await ask("gpt-5-mini", await newWorkspace())).toEqual({ success: false, error });
    expect(vendor.requests).toEqual([]);
  });
});

describe("success false", () => {
  const answers: [Mode["mode"], RegExp][] = [
    ["wrongKey", /refused the API key/],
    ["rateLimit", /rate limit or quota/],
    ["quota", /rate limit or quota/],
    ["error500", /overloaded or down/],
    ["overload529", /overloaded or down/],
    ["unknownModel", /does not know the model/],
    ["forbiddenModel", /does not know the model, or the API key may not use it/],
    ["tooLong", /^The text is too long for the model\.$/],
    ["badRequest", /did not accept the request\.$/],
    ["refusal", /declined to answer/],
    ["cutOff", /cut off/],
    ["reset", /could not be reached/],
    ["keyEchoed", /did not accept/],
    ["notJson", /no usable answer/],
    ["empty", /no usable answer/],
    ["redirect", /no usable answer/],
    ["endless", /no usable answer/],
  ];

  describe.each(aiVendors)("%s", (each) => {
    it.each(answers)(
      "%s: returns our message, without the vendor's text or the key, and is not retried",
      async (mode, error) => {
        vendor.behave({ mode });
        expect(await ask(models[each])).toEqual({ success: false, error: expect.stringMatching(error) });
        expect(vendor.requests).toHaveLength(1);
        expect(logText()).not.toMatch(/sk-secret|vendor's own|A long text|Shorten/);
      },
    );

    it.each([
      ["max_tokens is too large: 16384. This model supports at most 4096 completion tokens", /^\w+ .*fewer tokens/],
      ["max_tokens: 16384 > 8192, which is the maximum allowed number of output tokens for claude-x", /fewer tokens/],
      ["The value of max_output_tokens must be in the range [1, 8193)", /fewer tokens/],
      ["input length and `max_tokens` exceed context limit: 190000 + 16384 > 200000", /too long/],
      ["prompt is too long: 210000 tokens > 200000 maximum", /too long/],
      ["The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", /too long/],
      ["This model's maximum context length is 8192 tokens. However, you requested 9000 tokens", /too long/],
      ["Your credit balance is too low to access the API.", /rate limit or quota/],
      ["billing_hard_limit_reached", /rate limit or quota/],
      ["This request was flagged: content_policy_violation", /declined to answer/],
      ["Unsupported parameter: 'max_tokens' is not supported with this model.", /did not accept the request\.$/],
    ])("tells the reason of: %s", async (text, error) => {
      vendor.behave({ mode: "badRequest", text });
      expect(await ask(models[each])).toEqual({ success: false, error: expect.stringMatching(error) });
    });

    it.each([
      ["This is not a chat model and thus not supported in the v1/chat/completions endpoint.", /another API/],
      ["This model is only supported in v1/responses and not in v1/chat/completions.", /another API/],
      ["The model `gpt-9` does not exist or you do not have access to it.", /does not know the model/],
    ])("tells the reason why the model is not found: %s", async (text, error) => {
      vendor.behave({ mode: "unknownModel", text });
      expect(await ask(models[each])).toEqual({ success: false, error: expect.stringMatching(error) });
    });

    it.each(["hang", "drip"] as const)("%s: ends at the deadline", async (mode) => {
      vi.stubEnv("AI_TIMEOUT_SECONDS", "0.3");
      vendor.behave({ mode });
      expect(await ask(models[each])).toEqual({
        success: false,
        error: expect.stringMatching(/did not answer in time/),
      });
    });
  });

  it("says with retry-after when all slots of the workspace are held, and asks no model", async () => {
    const as = await newWorkspace();
    const providers = { openai: { apiKey: key, baseUrl: vendor.baseUrl("openai") } };
    await must(aimodelconfigUpdate, { as, data: { providers } });
    vendor.behave("Short.");
    const data = { model: models.openai, prompt: "Shorten.", text: "A long text." };
    const ref = { workspace: as.apiKey };
    const held = Array.from({ length: slotCounts.model }, (_, index) => hold(ref, "model", `call ${index}`, 60_000));
    const [first] = await Promise.all(held);
    const reply = await call(askAi, { as, data });
    const error = "The workspace has 20 calls that wait for a model. Try again after 2 s.";
    expect(reply).toMatchObject({ status: 200, body: { result: { success: false, error } } });
    expect(reply.headers["retry-after"]).toBe("2");
    expect(vendor.requests).toEqual([]);
    await release(first as NonNullable<typeof first>);
    const next = await call(askAi, { as, data });
    expect(next.body.result).toEqual({ success: true, text: "Short." });
    expect(next.headers).not.toHaveProperty("retry-after");
  });

  it("sends no key to a stored base URL whose origin the operator has forbidden since", async () => {
    vi.stubEnv("AI_ORIGINS", "none");
    vendor.behave("Short.");
    const error = expect.stringMatching(/base URL of OpenAI .* is not allowed/);
    expect(await ask(models.openai)).toEqual({ success: false, error });
    expect(vendor.requests).toEqual([]);
  });

  it("does not call a base URL with a private address", async () => {
    const as = await newWorkspace();
    const providers = { openai: { apiKey: key, baseUrl: "https://localhost.example.invalid/v1" } };
    await must(aimodelconfigUpdate, { as, data: { providers } });
    expect(await ask("gpt-5-mini", as)).toEqual({
      success: false,
      error: expect.stringMatching(/could not be reached/),
    });
  });
});

describe("INVALID_ARGUMENT", () => {
  it.each([
    "",
    "../x",
    "gemini-2.5-flash/../../x",
    "gemini-..",
    "gemini-2.5 flash",
    "gpt-4\n",
    "a".repeat(129),
    "gemini-%2e%2e",
    "gpt-4?x",
  ])("is returned for the model name %j", async (model) => {
    vendor.behave("Short.");
    const { error } = await call(askAi, { as: alice, data: { model, prompt: "p", text: "t" } });
    expect(error).toMatchObject({ status: "INVALID_ARGUMENT", details: { issues: [{ path: ["model"] }] } });
    expect(vendor.requests).toEqual([]);
  });

  it("is returned for an empty instruction or text", async () => {
    const { error } = await call(askAi, { as: alice, data: { model: "gpt-5", prompt: "", text: "" } });
    expect(error?.details?.issues).toMatchObject([{ path: ["prompt"] }, { path: ["text"] }]);
  });
});

describe("AWS calls", () => {
  it("makes one read without a key", async () => {
    const aws = mockAws(mocked.rows);
    await callSource(handler, askAi, { model: "gpt-5", prompt: "p", text: "t" });
    expect(aws.calls()).toEqual([expect.stringMatching(/^BatchGet W#w WORKSPACE, W#w TOKEN#\w+, W#w SETTING#ai$/)]);
    aws.restore();
  });

  it("makes three more for the slot when it calls a model: a read, and two conditional writes", async () => {
    newTableInMemory();
    const as = await newWorkspace();
    const providers = { openai: { apiKey: key, baseUrl: vendor.baseUrl("openai") } };
    // The table in memory is that of this process: the bundles do not use it.
    const configured = await update(
      eventOf(aimodelconfigUpdate, { as, data: { providers } }) as never,
      contextOf("aimodelconfig-update") as never,
    );
    expect(configured.statusCode).toBe(200);
    vendor.behave("Short.");
    const data = { model: "gpt-5-mini", prompt: "p", text: "t" };
    expect(await handler(eventOf(askAi, { as, data }) as never, contextOf("ask-ai") as never)).toMatchObject({
      statusCode: 200,
    });
    // The other read is of the settings: the credentials are cached.
    const cost = { roundTrips: 4, readUnits: 2, writeUnits: 4, kmsCalls: 1 };
    expect(logs().findLast(({ message }) => message === "call")).toMatchObject(cost);
  });
});
