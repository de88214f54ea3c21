// Calls with a user's token, beside the same calls of a server, in warm functions with the real engine.
import { endpoints } from "../../infra/deployables.ts";
import { listedAt } from "../../lib/access/key-times.ts";
import { isValid, readToken } from "../../lib/browser/token.ts";
import * as SigningKey from "../../lib/store/access/signing-key.ts";
import * as Setting from "../../lib/store/setting.ts";
import * as Workspace from "../../lib/store/workspace.ts";
import { handlerOf } from "../support/bundles.ts";
import { type Credentials, contextOf, eventOf } from "../support/event.ts";
import { type Line, takeLines } from "./log-lines.ts";
import { median } from "./starts.ts";

const place = { organizationId: "users", documentId: "plan" };
const user = { userId: "ada", name: "Ada", email: "ada@example.com" };
const thread = { annotationId: "thread", from: user, comments: [{ commentId: "first", from: user, text: "Hello" }] };
const measured: Record<string, object> = {
  "documents-data-get": { ...place, kind: "comments" },
  "comments-update": { ...place, annotationId: "thread", commentId: "first", text: "Hello again", actionUser: user },
  "permissions-get": { ...place, userIds: [user.userId], documentIds: [place.documentId] },
};
const callsPerBlock = 20;
const verifications = 2_000;
/** A user may make ten calls in a second. */
const msPerCall = 100;

export interface UserCalls {
  /** `ratio`: of the CPU times of blocks in turn, at the median. The load of the machine hardly changes it. */
  calls: { name: string; serverMicros: number; ratio: number; trips: number[]; readUnits: number[] }[];
  verifyMicros: number;
  preflightTrips: number;
}

/** The CPU time of a call, and its requests and read units: of a server, and of a user. */
export async function userCalls(as: Credentials, blocks: number): Promise<UserCalls> {
  const { now } = Date;
  let late = 0;
  Date.now = () => now() + late;
  const token = await arrange(as);
  const callers = [as, { token }];
  const calls: UserCalls["calls"] = [];
  for (const [name, data] of Object.entries(measured)) {
    const samples = callers.map(() => [] as number[]);
    const lines = callers.map(() => [] as Line[]);
    for (let block = 0; block < blocks; block++) {
      for (const [index, caller] of callers.entries()) {
        const before = process.cpuUsage();
        for (let count = 0; count < callsPerBlock; count++) {
          late += msPerCall;
          lines[index]?.push(await send(caller, name, data));
        }
        // The first blocks include compilation.
        if (block >= blocks / 2) samples[index]?.push(cpuMicros(before) / callsPerBlock);
      }
    }
    const [ofServer = [], ofUser = []] = samples;
    const ratio = median(ofUser.map((micros, index) => micros / (ofServer[index] ?? 0)));
    // A call in ten also counts its caller's calls in the table.
    const usual = (of: "roundTrips" | "readUnits") => lines.map((own) => median(own.map((line) => line[of])));
    const [trips, readUnits] = [usual("roundTrips"), usual("readUnits")];
    calls.push({ name, serverMicros: median(ofServer), ratio, trips, readUnits });
  }
  const { roundTrips } = await send({}, "documents-data-get", {}, "OPTIONS");
  const verifyMicros = await verification(as.apiKey, token);
  Date.now = now;
  return { calls, verifyMicros, preflightTrips: roundTrips };
}

/** Returns the token of a user who may edit the document. */
async function arrange(as: Credentials): Promise<string> {
  await Workspace.setLimits({ workspace: as.apiKey }, { callsPerSecond: 1_000 });
  await Setting.update({ workspace: as.apiKey }, "switches", { browser: true });
  await send(as, "organizations-add", { organizations: [place] });
  await send(as, "documents-add", { ...place, documents: [place] });
  await send(as, "documents-data-add", { ...place, location: { id: "page-1" }, comments: [thread] });
  const { userId, ...userProperties } = user;
  const resources = [{ type: "document", id: place.documentId, organizationId: place.organizationId }];
  const { result } = await send(as, "token-generate", { userId, userProperties, permissions: { resources } });
  return result?.data.token ?? "";
}

/** Sends a call of a server with its credentials, or of a user with a token. Returns the reply's result and the log line. */
async function send(
  by: object,
  name: string,
  data: object,
  method = "POST",
): Promise<Line & { result?: { data: { token: string } } }> {
  const endpoint = endpoints.find((each) => each.name === name);
  if (!endpoint) throw new Error(`There is no endpoint ${name}.`);
  const headers = "token" in by ? { authorization: `Bearer ${by.token}` } : {};
  const as = "apiKey" in by ? { as: by as Credentials } : {};
  takeLines();
  const handler = await handlerOf(name);
  const event = eventOf(endpoint, { ...as, data, headers, method });
  const { statusCode, body } = (await handler(event, contextOf("bench", 25_000))) as {
    statusCode: number;
    body: string;
  };
  if (statusCode >= 300) throw new Error(`${name} returned ${statusCode}: ${body}`);
  return { ...(takeLines().find(({ message }) => message === "call") as Line), ...(body && JSON.parse(body)) };
}

/** CPU time of the check of a token, without reads. */
async function verification(workspace: string, token: string): Promise<number> {
  const keys = await SigningKey.get(SigningKey.tokenKeys(workspace));
  const listed = keys ? listedAt(keys, Date.now()) : [];
  const check = () => {
    const before = process.cpuUsage();
    for (let count = 0; count < verifications; count++) {
      const read = readToken(token);
      if (!read || !isValid(read, listed, Date.now())) throw new Error("The token is not valid.");
    }
    return cpuMicros(before) / verifications;
  };
  return median([check(), check(), check()]);
}

function cpuMicros(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return user + system;
}
