// `npm start -- --demo-ai`: a local server replaces the AI vendors, so that AI endpoints work without an account. It
// returns fixed texts, which say so.
import { startVendorServer, type VendorRequest } from "./vendor-server.ts";

const canned = "This is a canned reply of --demo-ai: no model was called.";

/** It tells the settings of an earlier start, whose port was another, from those that the user has made. */
const demoKey = "demo";

/** Starts the server, and points the demo workspace's AI settings to it unless the user has set a key. */
export async function startDemoAi(workspace: string): Promise<{ close(): void }> {
  const Setting = await import("../../lib/store/setting.ts");
  const { purposes, seal, unseal } = await import("../../lib/secrets.ts");
  const { aiVendors } = await import("../../lib/schema/setting-names.ts");
  const server = await startVendorServer();
  server.behave(replyTo);
  const ai = await Setting.get({ workspace }, "ai");
  for (const vendor of aiVendors) {
    const context = { workspace, purpose: purposes.aiKey[vendor] };
    const stored = ai[`${vendor}ApiKeySealed`];
    if (stored !== "" && (await unseal(stored, context)) !== demoKey) continue;
    const sealed = await seal(demoKey, context);
    await Setting.change({ workspace }, "ai", undefined, () => ({
      [`${vendor}ApiKeySealed`]: sealed,
      [`${vendor}BaseUrl`]: server.baseUrl(vendor),
    }));
  }
  return server;
}

/** Chooses the reply by the prompt: an extraction from a file, a question over records, or anything else. */
function replyTo({ body }: VendorRequest): string {
  const prompt = textsIn(body).join("\n");
  if (prompt.includes("<file>"))
    return JSON.stringify(extractedAgents([...prompt.matchAll(/^(\d+): /gm)].map(([, digits]) => Number(digits))));
  const records = /^(records-\S+)\n(.*)\n\1$/m.exec(prompt)?.[2];
  return records === undefined ? canned : JSON.stringify(cannedAnswer(JSON.parse(records)));
}

/** Returns all strings of a request, because each vendor has its own format. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function extractedAgents(taskNumbers: number[]) {
  const agent = { name: "Canned agent", description: canned, prompt: canned, taskNumbers, userContextFields: [] };
  return { agents: [agent], skipped: [], summary: canned, totalTasksParsed: taskNumbers.length };
}

function cannedAnswer(records: { recordId: string; reasoning?: string; text?: string }[]) {
  const citations = records.slice(0, 1).map(({ recordId, reasoning, text }) => {
    return { recordId, snippet: (reasoning ?? text ?? "").slice(0, 80) };
  });
  return { answer: canned, citations };
}
