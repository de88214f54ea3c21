// `npm start -- --demo-ai`: the vendors of language models played by this machine, so that the endpoints that ask a model
// answer without an account. What they say is canned, and says so.
import { startVendorServer, type VendorRequest } from "./vendor-server.ts";

const canned = "This is a canned answer of --demo-ai: no model was asked.";

/** Gives the demo workspace keys for it, where it has none of its own. Ends with `close`. */
export async function startDemoAi(workspace: string): Promise<{ close(): void }> {
  const Setting = await import("../../lib/store/setting.ts");
  const { seal } = await import("../../lib/secrets.ts");
  const { aiVendors } = await import("../../lib/schema/setting-names.ts");
  const vendors = await startVendorServer();
  vendors.behave(sayFor);
  const ai = await Setting.get(workspace, "ai");
  for (const vendor of aiVendors) {
    const isOwn = ai[`${vendor}ApiKeySealed`] !== "" && !ai[`${vendor}BaseUrl`].startsWith("http://127.0.0.1:");
    if (isOwn) continue;
    await Setting.update(workspace, "ai", {
      [`${vendor}ApiKeySealed`]: await seal("demo", { workspace, purpose: Setting.aiKeyPurpose(vendor) }),
      [`${vendor}BaseUrl`]: vendors.baseUrl(vendor),
    });
  }
  return vendors;
}

/** By what is asked: to group a file's tasks, to answer from records, or anything else. */
function sayFor({ body }: VendorRequest): string {
  const asked = textsIn(body).join("\n");
  if (asked.includes("<file>"))
    return JSON.stringify(grouped([...asked.matchAll(/^(\d+): /gm)].map(([, digits]) => Number(digits))));
  const records = /^(records-\S+)\n(.*)\n\1$/m.exec(asked)?.[2];
  return records === undefined ? canned : JSON.stringify(cited(JSON.parse(records)));
}

/** All texts of a request, whichever vendor's it is. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function grouped(taskNumbers: number[]) {
  const agent = { name: "Canned agent", description: canned, prompt: canned, taskNumbers, userContextFields: [] };
  return { agents: [agent], skipped: [], summary: canned, totalTasksParsed: taskNumbers.length };
}

function cited(records: { recordId: string; reasoning?: string; text?: string }[]) {
  const citations = records.slice(0, 1).map(({ recordId, reasoning, text }) => {
    return { recordId, snippet: (reasoning ?? text ?? "").slice(0, 80) };
  });
  return { answer: canned, citations };
}
