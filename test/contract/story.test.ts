// The examples of the OpenAPI document are one story, and its replies are what the service really returned.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { expect, it, vi } from "vitest";
import { startDemoAi } from "../../infra/local/demo-ai.ts";
import * as Setting from "../../lib/store/setting.ts";
import { newWorkspace } from "../support/call.ts";
import { tellStory } from "../support/contract/story.ts";
import { newTableInMemory } from "../support/engine/in-memory.ts";
import { sesForFile } from "../support/senders.ts";

const path = fileURLToPath(new URL("../../infra/openapi/examples.json", import.meta.url));
const recorded = readFileSync(path, "utf8");
await sesForFile();

it("the example requests succeed in the order of the document, with the replies of infra/openapi/examples.json", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 31, 12) });
  newTableInMemory();
  vi.stubEnv("LIVE_REALTIME_URL", "wss://abc.appsync-realtime-api.eu-central-1.amazonaws.com/event/realtime");
  const as = await newWorkspace();
  await Setting.update({ workspace: as.apiKey }, "switches", { live: true });
  const ai = await startDemoAi();
  try {
    const replies = await tellStory(as);
    // The fields of free-form objects come in any order.
    const isSame = isDeepStrictEqual(JSON.parse(recorded), replies);
    // `npm run update` records them.
    await expect(isSame ? recorded : `${JSON.stringify(replies, null, 2)}\n`).toMatchFileSnapshot(path);
  } finally {
    ai.close();
    vi.useRealTimers();
    vi.unstubAllEnvs();
  }
});
