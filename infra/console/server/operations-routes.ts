// The paths of the operations. Their replies have no key of the process.
import { ApiError, httpStatus } from "../../../lib/errors.ts";
import { jsonIn } from "../../../lib/json.ts";
import { awsProblem } from "../../admin/aws-problem.ts";
import { UserError } from "../../admin/user-error.ts";
import { readBody } from "../../local/read-body.ts";
import { maskedText } from "./mask.ts";
import type { Operations } from "./operations.ts";
import { denied, failure, fileReply, jsonReply, notFound, onlyLooks, policies, type Reply } from "./reply.ts";
import { isJson } from "./request-body.ts";
import type { Asked, Route } from "./route.ts";
import { secretsOf, type Target } from "./target.ts";

const states = ["waiting", "running", "failed"];
const bodyBytesMax = 10_000;
const html = "text/html; charset=utf-8";

type Respond = (asked: Asked, secrets: string[]) => Promise<Reply>;

export function operationsRoutes({ jobs, settings, mails }: Operations, target: Promise<Target>): Route[] {
  const route = (path: string, method: "GET" | "POST", respond: Respond | undefined): Route => [
    new RegExp(`^/console/${path}$`),
    method,
    async (asked) => (respond ? refusable(async () => respond(asked, secretsOf(await target))) : notKnown()),
  ];
  return [
    route("operations/jobs", "GET", jobs && (async ({ query }) => shownJobs(jobs, query))),
    route("operations/jobs/retry", "POST", jobs && ((asked) => retry(jobs, asked))),
    route("operations/settings", "GET", settings && (async () => jsonReply({ settings: await settings() }))),
    route("operations/mails", "GET", mails && ((_, secrets) => mailList(mails, secrets))),
    route("mail/[\\w.-]+\\.html", "GET", mails && ((asked, secrets) => mailPage(mails, asked, secrets))),
    // No message has such an id. The page shows the reply in a frame too.
    [/^\/console\/mail\//, "ANY", () => (mails ? noMail() : notFound())],
    [/^\/console\/operations\//, "ANY", () => notFound()],
  ];
}

const notKnown = () =>
  failure(
    404,
    "NOT_FOUND",
    "This process cannot know that. `npm start` shows it, or `npm run console -- --stack NAME`.",
  );

/** Turns what the operator can correct into a reply. */
async function refusable(respond: () => Promise<Reply>): Promise<Reply> {
  try {
    return await respond();
  } catch (thrown) {
    if (thrown instanceof ApiError) return failure(httpStatus[thrown.status], thrown.status, thrown.message);
    if (thrown instanceof UserError) return failure(400, "FAILED_PRECONDITION", thrown.message);
    const problem = awsProblem(thrown);
    if (problem !== undefined) return failure(502, "UNAVAILABLE", problem);
    throw thrown;
  }
}

const invalid = (message: string) => failure(400, "INVALID_ARGUMENT", message);

async function shownJobs(jobs: NonNullable<Operations["jobs"]>, query: URLSearchParams): Promise<Reply> {
  const state = query.get("state") || undefined;
  if (state !== undefined && !states.includes(state)) return invalid(`state must be one of ${states.join(", ")}.`);
  return jsonReply({ jobs: await jobs.list(state), place: jobs.place });
}

async function retry(jobs: NonNullable<Operations["jobs"]>, { request, canChange }: Asked): Promise<Reply> {
  if (!canChange) return denied(onlyLooks);
  const body = isJson(request) ? await readBody(request, bodyBytesMax) : undefined;
  const { id } = Object(jsonIn(String(body))) as { id?: unknown };
  if (typeof id !== "string") return invalid('Send {"id": "…"} as application/json.');
  await jobs.retry(id);
  return jsonReply({ id, retried: true });
}

type Mails = NonNullable<Operations["mails"]>;

async function mailList(mails: Mails, secrets: string[]): Promise<Reply> {
  const reply = jsonReply({ mails: await mails.list() });
  return { ...reply, body: maskedText(String(reply.body), secrets) };
}

async function mailPage(mails: Mails, { path }: Asked, secrets: string[]): Promise<Reply> {
  const page = await mails.html(path.slice("/console/mail/".length, -".html".length));
  if (page === undefined) return noMail();
  return fileReply({ type: html, body: maskedText(page, secrets) }, policies.mail);
}

/** Stands in the frame where the message would be. With another policy, the browser shows a broken frame only. */
const noMail = (): Reply => ({
  ...fileReply({ type: html, body: "There is no such message." }, policies.mail),
  status: 404,
});
