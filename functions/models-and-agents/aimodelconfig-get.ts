import * as z from "zod/mini";
import { ModelConfig, maskedModelConfig } from "../../lib/ai/model-config.ts";
import { endpoint, readLambda } from "../../lib/http/lambda.ts";

export const aimodelconfigGet = endpoint({
  name: "aimodelconfig-get",
  path: "/v2/workspace/aimodelconfig/get",
  summary: "Get the AI configuration",
  description: "Get the AI model configuration, with its keys masked.",
  settings: ["ai"],
  grants: ["table:read"],
  data: z.object({}),
  reply: ModelConfig,
  message: "AI model configuration retrieved.",

  async handle({ caller }) {
    return maskedModelConfig(await caller.setting("ai"));
  },
});
export const handler = readLambda(aimodelconfigGet);
