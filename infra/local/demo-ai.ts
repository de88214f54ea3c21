// `npm start -- --demo-ai`: a local server replaces the AI vendors, so that AI endpoints work without an account. It
// returns fixed texts, which say so.
import { beginning } from "../../lib/beginning.ts";
import { startVendorServer, type VendorRequest, type VendorServer } from "./vendor-server.ts";

const canned = "This is a canned reply of --demo-ai: no model was called.";

/**
 * Starts the server. All model calls go to it, without a key, also those of a workspace that has set a vendor's key. No
 * setting changes, so nothing is left when the server starts without it.
 */
export async function startDemoAi(): Promise<{ close(): void }> {
  const server = await startCannedVendors();
  process.env.AI_STAND_IN_URL = server.url;
  const close = () => {
    delete process.env.AI_STAND_IN_URL;
    server.close();
  };
  return { close };
}

/** A server with the protocols of all vendors and fixed replies. */
export async function startCannedVendors(): Promise<VendorServer> {
  const server = await startVendorServer();
  server.behave(replyTo);
  return server;
}

/** Chooses the reply by the prompt: an extraction from a file, a question over records, or anything else. */
function replyTo({ body }: VendorRequest): string {
  const prompt = textsIn(body).join("\n");
  if (prompt.includes("<file>")) return JSON.stringify(extractedAgents(prompt));
  if (prompt.includes("<drafts>")) return JSON.stringify({ agents: [], summary: canned });
  const records = /^(records-\S+)\n(.*)\n\1$/m.exec(prompt)?.[2];
  return records === undefined ? canned : JSON.stringify(cannedAnswer(JSON.parse(records)));
}

/** Returns all strings of a request, because each vendor has its own format. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Each line is a task, but for headings and for a first row of short cells without digits. */
function extractedAgents(prompt: string) {
  const lines = [...prompt.matchAll(/^(\d+): (.*)$/gm)].map(([, digits, text = ""], index) => {
    const isHeader = index === 0 && text.includes(" | ") && text.split(" | ").every((cell) => /^\D{1,30}$/.test(cell));
    return { line: { first: Number(digits), last: Number(digits) }, isTitle: isHeader || /^#{1,6} |:$/.test(text) };
  });
  const tasks = lines.filter(({ isTitle }) => !isTitle).map(({ line }) => line);
  const titles = lines.filter(({ isTitle }) => isTitle).map(({ line }) => ({ ...line, reason: "A heading." }));
  const agent = { name: "Canned agent", description: canned, prompt: canned, tasks, userContextFields: [] };
  return { agents: [agent], skipped: titles, summary: canned, totalTasksParsed: tasks.length };
}

function cannedAnswer(records: { recordId: string; reasoning?: string; text?: string }[]) {
  const citations = records.slice(0, 1).map(({ recordId, reasoning, text }) => {
    return { recordId, snippet: beginning(reasoning ?? text ?? "", 80) };
  });
  return { answer: canned, citations };
}
