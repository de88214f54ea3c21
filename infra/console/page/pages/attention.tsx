// What a person has to look at now: failed jobs, webhook endpoints whose deliveries fail, channels that are paused.
import { load, operation } from "../api.ts";
import { Part } from "../components/head.tsx";
import { Loaded } from "../components/states.tsx";
import { Status, type Tone } from "../components/status.tsx";
import { Time } from "../components/time.tsx";
import { inWords, plural } from "../format.ts";
import { useLive } from "../live.ts";
import { address } from "../places.ts";
import { type Session, useRefusal, useSession } from "../session.ts";
import { areWebhooksOn } from "./webhook-types.ts";

interface Concern {
  key: string;
  tone: Tone;
  state: string;
  text: string;
  until?: string | undefined;
  href: string;
  todo: string;
}

/** More endpoints would be many calls: the page of the webhooks has all. */
const endpointsMax = 25;
const newestDeliveries = 5;
const attentionEveryMs = 10_000;

export function Attention() {
  const session = useSession();
  const refusal = useRefusal("admin");
  const live = useLive(session && "attention", (signal) => concerns(session as Session, signal), attentionEveryMs);
  return (
    <Part title="Needs attention">
      <Loaded live={live} lines={2}>
        {(found) => (
          <>
            {found.length === 0 ? (
              <p class="card">
                <Status tone="good">Nothing</Status>:{" "}
                {refusal
                  ? "no failed job."
                  : "no failed job, no failed delivery to a webhook endpoint, no paused channel."}
              </p>
            ) : (
              <ul class="rows" aria-label="Needs attention">
                {found.map((each) => (
                  <li key={each.key}>
                    <Status tone={each.tone}>{each.state}</Status>
                    <span class="grow">
                      {each.text}
                      {each.until && (
                        <>
                          {" "}
                          until <Time at={each.until} />
                        </>
                      )}
                    </span>
                    <a href={each.href}>{each.todo}</a>
                  </li>
                ))}
              </ul>
            )}
            {refusal && <p class="quiet">This window does not see webhooks and messages: it only reads.</p>}
          </>
        )}
      </Loaded>
    </Part>
  );
}

async function concerns({ operations, scopes }: Session, signal: AbortSignal): Promise<Concern[]> {
  const maySee = scopes.includes("admin");
  const parts = await Promise.allSettled([
    operations.jobs ? failedJobs(signal) : [],
    maySee ? failingEndpoints(signal) : [],
    maySee ? pausedChannels(signal) : [],
  ]);
  const found = parts.flatMap((part) => (part.status === "fulfilled" ? [part.value] : []));
  const failure = parts.find((part) => part.status === "rejected") as PromiseRejectedResult | undefined;
  // A part that cannot be loaded does not hide what the others have found.
  if (failure && found.flat().length === 0) throw failure.reason;
  return found.flat();
}

async function failedJobs(signal: AbortSignal): Promise<Concern[]> {
  const { jobs } = await operation<{ jobs: { kind: string }[] }>("jobs?state=failed", signal);
  if (jobs.length === 0) return [];
  const kinds = [...new Set(jobs.map(({ kind }) => inWords(kind)))].join(", ");
  const text = `${plural(jobs.length, "job")}: ${kinds}`;
  const href = address("/console/jobs", { state: "failed" });
  return [{ key: "jobs", tone: "bad", state: "Failed jobs", text, href, todo: "See and retry" }];
}

async function failingEndpoints(signal: AbortSignal): Promise<Concern[]> {
  if (!(await areWebhooksOn(signal))) return [];
  type Endpoints = { endpoints: { id: string; url: string; disabled: boolean }[]; nextPageToken: string | null };
  const { endpoints, nextPageToken } = await load<Endpoints>("v2/workspace/advancedwebhook/endpoints/get", {}, signal);
  const active = endpoints.filter(({ disabled }) => !disabled).slice(0, endpointsMax);
  const checked = await Promise.all(active.map((each) => concernOf(each, signal)));
  const found = checked.flatMap((concern) => concern ?? []);
  if (endpoints.length <= endpointsMax && nextPageToken === null) return found;
  const text = `Only the first ${endpointsMax} endpoints are looked at here.`;
  return [
    ...found,
    { key: "more", tone: "plain", state: "More endpoints", text, href: "/console/webhooks", todo: "See all" },
  ];
}

/** Only the newest deliveries count: an endpoint that works again needs nothing. */
async function concernOf({ id, url }: { id: string; url: string }, signal: AbortSignal): Promise<Concern | undefined> {
  type Deliveries = { deliveries: { status: string; attempts: number }[] };
  const path = "v2/workspace/advancedwebhook/deliveries/get";
  const { deliveries } = await load<Deliveries>(path, { endpointId: id, pageSize: newestDeliveries }, signal);
  const failed = deliveries.filter(({ status }) => status === "failed").length;
  const retried = deliveries.filter(({ status, attempts }) => status === "pending" && attempts > 0).length;
  if (failed + retried === 0) return undefined;
  const found = [failed && `${failed} failed for good`, retried && `${retried} failed so far and will be retried`];
  return {
    key: id,
    tone: failed ? "bad" : "warn",
    state: failed ? "Failed deliveries" : "Deliveries being retried",
    text: `${url}: of the last ${plural(deliveries.length, "delivery", "deliveries")}, ${found.filter(Boolean).join(", ")}`,
    href: address("/console/webhooks", { endpoint: id }),
    todo: "See deliveries",
  };
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
      key: channel,
      tone: "warn" as const,
      state: pausedUntil ? "Paused channel" : "Channel does not send",
      text: problem ? `${inWords(channel)}: ${problem}` : inWords(channel),
      until: pausedUntil ?? undefined,
      href: "/console/messages",
      todo: "See messages",
    }));
}
