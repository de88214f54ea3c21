// What a person has to look at now: failed jobs, webhook endpoints whose deliveries fail, channels that are paused.
import { failureOf, load, operation } from "../api.ts";
import { Empty, Failure, Loaded, Rows } from "../components/list.tsx";
import { Head, Part, Status, Time } from "../components/page.tsx";
import { inWords, plural } from "../format.ts";
import { seldomMs, useList, useLive } from "../live.ts";
import { address } from "../places.ts";
import { type Session, useRefusal, useSession } from "../session.ts";
import type { Organization, Tone } from "../types.ts";
import { areWebhooksOn, type Endpoint, troubleOf, webhooks } from "./webhook-types.ts";

interface Concern {
  tone: Tone;
  state: string;
  text: string;
  until?: string | null;
  href: string;
}

/** As many as a page of the API has: more would be many calls. The page of the webhooks has all. */
const endpointsMax = 100;
const everyMs = 10_000;

export function Overview() {
  const session = useSession() as Session;
  const refusal = useRefusal("admin");
  const live = useLive("attention", (signal) => concerns(session, signal), everyMs);
  return (
    <>
      <Head title="Overview" />
      <Part title="Needs attention">
        <Loaded live={live}>
          {({ found, seen, failure }) => (
            <>
              {failure && <Failure failure={failure} retry={live.reload} />}
              {found.length === 0 && seen.length > 0 && (
                <p class="card">
                  <Status tone="good">Nothing</Status>: no {seen.join(", no ")}.
                </p>
              )}
              {found.length > 0 && (
                <ul class="rows" aria-label="Needs attention">
                  {found.map(({ tone, state, text, until, href }) => (
                    <li key={state + text}>
                      <Status tone={tone}>{state}</Status>
                      <span class="grow">
                        {text} {until && <>until {<Time at={until} />}</>}
                      </span>
                      <a href={href}>See</a>
                    </li>
                  ))}
                </ul>
              )}
              {refusal && <p class="quiet">This window does not see webhooks and messages. {refusal}</p>}
            </>
          )}
        </Loaded>
      </Part>
      <Organizations isLocal={session.mode === "local"} />
      {session.mode === "stack" && <p class="quiet">The numbers of the stack are in its dashboard of CloudWatch.</p>}
    </>
  );
}

/** The ways into the data. */
function Organizations({ isLocal }: { isLocal: boolean }) {
  const list = useList<Organization>("v2/organizations/get", "organizations", { pageSize: 5 }, seldomMs);
  return (
    <Part title="Organizations">
      <Rows
        label="Organizations"
        list={list}
        empty={
          <Empty title="No organizations yet.">
            The <a href="/docs">reference</a> says how to add one.
            {isLocal && (
              <>
                {" "}
                <code>npm start -- --example</code> adds a team with documents and comments.
              </>
            )}
          </Empty>
        }
      >
        {({ organizationId: org, organizationName }) => (
          <li key={org}>
            <a class="grow" href={address("/console/documents", { org })}>
              {organizationName || org}
            </a>
            <a href={address("/console/people", { org })}>People</a>
            <a href={address("/console/people", { org, view: "access" })}>Who can see what</a>
            <a href={address("/console/activity", { org })}>Activity</a>
          </li>
        )}
      </Rows>
    </Part>
  );
}

/** `seen`: what was looked for. A part that cannot be loaded does not hide what the others have found. */
async function concerns({ operations, scopes }: Session, signal: AbortSignal) {
  const maySee = scopes.includes("admin");
  const looks = [...(operations.jobs ? [failedJobs] : []), ...(maySee ? [failingEndpoints, pausedChannels] : [])];
  const parts = await Promise.allSettled(looks.map((look) => look(signal)));
  const failed = parts.find((part) => part.status === "rejected");
  const done = parts.flatMap((part) => (part.status === "fulfilled" ? [part.value] : []));
  return {
    found: done.flatMap(({ found }) => found),
    seen: done.map(({ seen }) => seen),
    failure: failed && failureOf(failed.reason),
  };
}

interface Look {
  found: Concern[];
  seen: string;
}

async function failedJobs(signal: AbortSignal): Promise<Look> {
  const seen = "failed job";
  const { jobs } = await operation<{ jobs: { does: string }[] }>("jobs?state=failed", signal);
  if (jobs.length === 0) return { found: [], seen };
  const text = [plural(jobs.length, "job"), ...new Set(jobs.map(({ does }) => does))].join(". ");
  const href = address("/console/jobs", { state: "failed" });
  return { found: [{ tone: "bad", state: "Failed jobs", text, href }], seen };
}

async function failingEndpoints(signal: AbortSignal): Promise<Look> {
  const seen = "failed delivery to a webhook endpoint";
  // While they are off, the API shows no deliveries.
  if (!(await areWebhooksOn(signal))) return { found: [], seen: `${seen} (webhooks are off)` };
  const data = { pageSize: endpointsMax };
  const { endpoints } = await load<{ endpoints: Endpoint[] }>(`${webhooks}/endpoints/get`, data, signal);
  const troubles = await Promise.all(endpoints.map(({ id }) => troubleOf(id, signal)));
  const found = troubles.flatMap(({ text, hasFailed }, index): Concern[] => {
    const { id, url } = endpoints[index] as Endpoint;
    const [tone, state] = hasFailed
      ? (["bad", "Failed deliveries"] as const)
      : (["warn", "Deliveries being retried"] as const);
    const href = address("/console/webhooks", { endpoint: id, ...(hasFailed && { state: "failed" }) });
    return text === undefined ? [] : [{ tone, state, text: `${url}: ${text}`, href }];
  });
  return { found, seen: troubles.every(({ isWhole }) => isWhole) ? seen : `${seen} (only the newest were read)` };
}

async function pausedChannels(signal: AbortSignal): Promise<Look> {
  type Channels = { channels?: { channel: "email" | "slack"; problem: string | null; pausedUntil: string | null }[] };
  const [{ channels = [] }, { useEmailService }, slack] = await Promise.all([
    load<Channels>("v2/workspace/messages/get", { pageSize: 1 }, signal),
    load<{ useEmailService: boolean }>("v2/workspace/emailconfig/get", {}, signal),
    load<{ isEnabled: boolean }>("v2/workspace/slackconfig/get", {}, signal),
  ]);
  // A channel that is turned off has a problem by intention.
  const isOn = { email: useEmailService, slack: slack.isEnabled };
  const found = channels
    .filter(({ channel, problem, pausedUntil }) => isOn[channel] && (problem || pausedUntil))
    .map(({ channel, problem, pausedUntil }) => ({
      tone: "warn" as const,
      state: pausedUntil ? "Paused channel" : "Channel does not send",
      text: [inWords(channel), problem].filter(Boolean).join(": "),
      until: pausedUntil,
      href: "/console/messages",
    }));
  return { found, seen: "paused channel" };
}
