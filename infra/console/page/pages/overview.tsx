// What a person has to look at now: failed jobs, webhook endpoints whose deliveries fail, channels that are paused.
import { failureOf, load, operation } from "../api.ts";
import { Failure, Loaded } from "../components/list.tsx";
import { Head, Part } from "../components/page.tsx";
import { Status, Time, type Tone } from "../components/text.tsx";
import { inWords, plural } from "../format.ts";
import { useLive } from "../live.ts";
import { address } from "../places.ts";
import { type Session, useRefusal, useSession } from "../session.ts";
import { areWebhooksOn, type Endpoint, recentOf, webhooks } from "./webhook-types.ts";

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
      {session.mode === "stack" && <p class="quiet">The numbers of the stack are in its dashboard of CloudWatch.</p>}
    </>
  );
}

/** `seen`: what was looked for. A part that cannot be loaded does not hide what the others have found. */
async function concerns({ operations, scopes }: Session, signal: AbortSignal) {
  const maySee = scopes.includes("admin");
  const looks = [
    ...(operations.jobs ? [["failed job", failedJobs] as const] : []),
    ...(maySee ? [["failed delivery to a webhook endpoint", failingEndpoints] as const] : []),
    ...(maySee ? [["paused channel", pausedChannels] as const] : []),
  ];
  const parts = await Promise.allSettled(looks.map(([, look]) => look(signal)));
  const failed = parts.find((part) => part.status === "rejected");
  return {
    found: parts.flatMap((part) => (part.status === "fulfilled" ? part.value : [])),
    seen: looks.flatMap(([what], index) => (parts[index]?.status === "fulfilled" ? [what] : [])),
    failure: failed && failureOf(failed.reason),
  };
}

async function failedJobs(signal: AbortSignal): Promise<Concern[]> {
  const { jobs } = await operation<{ jobs: { kind: string }[] }>("jobs?state=failed", signal);
  if (jobs.length === 0) return [];
  const kinds = [...new Set(jobs.map(({ kind }) => inWords(kind)))].join(", ");
  const href = address("/console/jobs", { state: "failed" });
  return [{ tone: "bad", state: "Failed jobs", text: `${plural(jobs.length, "job")}: ${kinds}`, href }];
}

async function failingEndpoints(signal: AbortSignal): Promise<Concern[]> {
  if (!(await areWebhooksOn(signal))) return [];
  const data = { pageSize: endpointsMax };
  const { endpoints } = await load<{ endpoints: Endpoint[] }>(`${webhooks}/endpoints/get`, data, signal);
  const active = endpoints.filter(({ disabled }) => !disabled);
  return (await Promise.all(active.map((each) => concernOf(each, signal)))).flat();
}

async function concernOf({ id, url }: Endpoint, signal: AbortSignal): Promise<Concern[]> {
  const { failed, text } = await recentOf(id, signal);
  if (text === undefined) return [];
  const [tone, state] =
    failed > 0 ? (["bad", "Failed deliveries"] as const) : (["warn", "Deliveries being retried"] as const);
  return [{ tone, state, text: `${url}: ${text}`, href: address("/console/webhooks", { endpoint: id }) }];
}

async function pausedChannels(signal: AbortSignal): Promise<Concern[]> {
  type Channels = { channels?: { channel: "email" | "slack"; problem: string | null; pausedUntil: string | null }[] };
  const [{ channels = [] }, { useEmailService }, slack] = await Promise.all([
    load<Channels>("v2/workspace/messages/get", { pageSize: 1 }, signal),
    load<{ useEmailService: boolean }>("v2/workspace/emailconfig/get", {}, signal),
    load<{ isEnabled: boolean }>("v2/workspace/slackconfig/get", {}, signal),
  ]);
  // A channel that is turned off has a problem by intention.
  const isOn = { email: useEmailService, slack: slack.isEnabled };
  return channels
    .filter(({ channel, problem, pausedUntil }) => isOn[channel] && (problem || pausedUntil))
    .map(({ channel, problem, pausedUntil }) => ({
      tone: "warn",
      state: pausedUntil ? "Paused channel" : "Channel does not send",
      text: [inWords(channel), problem].filter(Boolean).join(": "),
      until: pausedUntil,
      href: "/console/messages",
    }));
}
