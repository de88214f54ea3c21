import * as z from "zod/mini";
import { completeText, inModelSlot } from "../../lib/ai/complete.ts";
import { config } from "../../lib/config.ts";
import { aiKeyGrants } from "../../lib/grants.ts";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";
import { log } from "../../lib/log.ts";
import { ModelName, vendorOf } from "../../lib/schema/ai-vendors.ts";
import { NonEmptyText } from "../../lib/schema/primitives.ts";

export const askAi = endpoint({
  name: "ask-ai",
  path: "/v2/rewriter/ask-ai",
  contract: 10,
  summary: "Rewrite a text with AI",
  description:
    "Send an instruction and a text to a language model, with the workspace's API key for its vendor. While the workspace has too many such calls, success is false, and the header retry-after says how many seconds to wait.",
  settings: ["ai"],
  grants: ["table:read", "table:slots", ...aiKeyGrants("unseal")],
  // A call to a model costs money.
  scope: "write",
  callsOut: true,
  data: z.object({
    model: ModelName.check(
      z.describe(
        "The prefix selects the vendor. gpt-, chatgpt-, o1, o3, o4: OpenAI; claude-: Anthropic; gemini-: Google. " +
          "Other names fail.",
      ),
    ),
    prompt: NonEmptyText.check(z.describe("The instruction.")),
    text: NonEmptyText.check(z.describe("The text that the instruction applies to.")),
  }),
  example: { model: "gpt-5-mini", prompt: "Make this friendlier.", text: "Send me the report." },
  envelope: "raw",
  reply: z.object({
    result: z
      .union([
        z.object({
          success: z.literal(true).check(z.describe("Whether the model answered.")),
          text: z.string().check(z.describe("What the model returned.")),
        }),
        z.object({
          success: z.literal(false).check(z.describe("Whether the model answered.")),
          error: z.string().check(z.describe("Why there is no text, for a developer.")),
        }),
      ])
      .check(z.describe("The text of the model, or why there is none.")),
  }),
  message: "Answered.",
  timeoutSeconds: 28,

  async handle({ data: { model, prompt, text }, caller, addHeaders }) {
    const deadline = Date.now() + config.aiTimeoutSeconds() * 1_000;
    const vendor = vendorOf(model);
    if (!vendor) return failed("The model's name has no known vendor prefix.");
    const { workspace } = caller;
    const ai = await caller.setting("ai");
    const question = { workspace, ai, vendor, model, instructions: prompt, prompt: text, deadline };
    const answer = async (): Promise<Answer> => {
      const completion = await completeText(question);
      if (completion.failure === undefined) return { result: { success: true, text: completion.answer } };
      const { kind, message, cause } = completion.failure;
      log("warn", "A model call failed.", { workspace, vendor, outcome: kind, cause });
      return failed(message);
    };
    return inModelSlot(question, answer, ({ message, http }) => {
      addHeaders(http.headers ?? {});
      return failed(message);
    });
  },
});
export const handler = readLambda(askAi);

type Answer = { result: { success: true; text: string } | { success: false; error: string } };

const failed = (error: string): Answer => ({ result: { success: false, error } });
