// Asks a customer's own permission provider (DECISIONS.md#permission-provider). A failure denies the affected entries.
import * as z from "zod/mini";
import { callSignal } from "../call.ts";
import { chunks, inParallel } from "../concurrency.ts";
import { jsonIn } from "../json.ts";
import { log } from "../log.ts";
import { defaultEgress, type Egress } from "../net/egress.ts";
import { send } from "../net/send.ts";
import type { Secret } from "../secret.ts";

/** A question to the provider: what access has this user to this resource? */
export interface ProviderQuestion {
  userId: string;
  resource: { id: string; type: string; organizationId: string; parentFolderId?: string };
}

/** `expiresAt` in Unix seconds. `failed`: the provider gave no usable answer, which counts as a denial. */
export type ProviderAnswer =
  | { outcome: "allowed"; accessRole: "viewer" | "editor"; expiresAt?: number }
  | { outcome: "denied" }
  | { outcome: "failed" };

export interface ProviderOptions {
  through?: Egress;
  tryMs?: number;
  totalMs?: number;
}

const questionsPerCall = 200;
const callsInFlight = 5;
const tries = 2;
const replyBytesMax = 1_048_576;

const Reply = z.object({ data: z.array(z.unknown()), success: z.literal(true), statusCode: z.literal(200) });
const Subject = z.object({ userId: z.string(), resourceId: z.string(), type: z.string(), organizationId: z.string() });
const Access = z.object({
  accessRole: z.nullish(z.enum(["viewer", "editor"])),
  /** A time in milliseconds. A value above 1e14 (the year 5138) is in another unit by mistake. */
  expiresAt: z.nullish(z.number().check(z.lte(1e14))),
});

/**
 * Asks the provider all questions. Returns the answers in the order of the questions. Nothing that the provider does
 * makes this throw. An answer to a question that was not asked is ignored. Two answers to one question are a failure.
 */
export async function askProvider(
  provider: { url: string; authToken: Secret | undefined; requests: readonly ProviderQuestion[] },
  { through = defaultEgress(), tryMs = 3_000, totalMs = 20_000 }: ProviderOptions = {},
): Promise<ProviderAnswer[]> {
  const unique = new Map(provider.requests.map((question) => [nameOf(question), question]));
  const signal = AbortSignal.any([AbortSignal.timeout(totalMs), callSignal() ?? []].flat());
  const answers = new Map<string, ProviderAnswer>();
  await inParallel(chunks([...unique.values()], questionsPerCall), callsInFlight, async (requests) => {
    const call = () => callProvider({ ...provider, requests }, { through, timeoutMs: tryMs, signal });
    const asked = new Set(requests.map(nameOf));
    for (const [name, answer] of await firstSuccess(call, signal)) {
      if (asked.has(name)) answers.set(name, answers.has(name) ? { outcome: "failed" } : answer);
    }
  });
  return provider.requests.map((question) => answers.get(nameOf(question)) ?? { outcome: "failed" });
}

/** The result of the first try that succeeds; empty when none does. */
async function firstSuccess(call: () => Promise<[string, ProviderAnswer][]>, signal: AbortSignal) {
  for (let attempt = 1; attempt <= tries && !signal.aborted; attempt++) {
    try {
      return await call();
    } catch (cause) {
      log("warn", "The permission provider gave no usable answer.", { attempt, cause });
    }
  }
  return [];
}

async function callProvider(
  { url, authToken, requests }: { url: string; authToken: Secret | undefined; requests: readonly ProviderQuestion[] },
  { through, ...limits }: { through: Egress; timeoutMs: number; signal: AbortSignal },
): Promise<[string, ProviderAnswer][]> {
  const headers = {
    authorization: `Bearer ${authToken?.reveal() ?? ""}`,
    "content-type": "application/json",
    accept: "application/json",
  };
  const body = JSON.stringify({ data: { requests } });
  const reply = await send({ url, method: "POST", headers, body, maxBytes: replyBytesMax, ...limits }, through);
  if (reply.status !== 200) throw new Error(`The provider returned HTTP status ${reply.status}.`);
  const content = jsonIn(reply.body.toString("utf8"));
  if (content === undefined) throw new Error("The provider's reply is not JSON.");
  const { data } = Reply.parse(content);
  return data.flatMap((entry) => {
    const subject = Subject.safeParse(entry).data;
    return subject ? [[subjectName(subject), answerOf(entry as { hasAccess?: unknown })]] : [];
  });
}

/** The answer of one entry. `hasAccess` without a role makes the user an editor, as a grant without a role does. */
function answerOf(entry: { hasAccess?: unknown }): ProviderAnswer {
  if (typeof entry.hasAccess !== "boolean") return { outcome: "failed" };
  if (!entry.hasAccess) return { outcome: "denied" };
  const access = Access.safeParse(entry).data;
  if (!access) return { outcome: "failed" };
  const accessRole = access.accessRole ?? "editor";
  if (access.expiresAt == null) return { outcome: "allowed", accessRole };
  // Rounded down, so that the grant ends no later than the provider said.
  const expiresAt = Math.floor(access.expiresAt / 1_000);
  return expiresAt * 1_000 <= Date.now() ? { outcome: "denied" } : { outcome: "allowed", accessRole, expiresAt };
}

function nameOf({ userId, resource: { id, type, organizationId } }: ProviderQuestion): string {
  return subjectName({ userId, resourceId: id, type, organizationId });
}

function subjectName({ userId, resourceId, type, organizationId }: z.infer<typeof Subject>): string {
  return JSON.stringify([userId, resourceId, type, organizationId]);
}
