// One client: it has a workspace of its own, whose model it keeps, and sends one request after the other.
import { setTimeout as sleep } from "node:timers/promises";
import { methodsOf } from "../../lib/http/endpoint.ts";
import { ignoredFieldsHeader } from "../../lib/http/unknown-fields.ts";
import type { Credentials } from "../support/event.ts";
import type { Random } from "../support/random.ts";
import { type Answer, Connection, type Request } from "./connection.ts";
import { endpointNamed, type Json, problemOf, type Reply, replyOf } from "./envelope.ts";
import type { Report } from "./report.ts";
import type { Service } from "./service.ts";
import { difference, type Fields, type Follower, type Step } from "./step.ts";

export interface Outcome {
  reply: Reply;
  /** The call was sent before without a usable reply, so it may have run before. */
  wasLost: boolean;
  request: Request;
}

export interface CallOptions {
  as?: Credentials;
  key?: string | undefined;
}

/** A call that is still busy after this many tries is a finding. */
const pagesMax = 200;
const pageTokensMax = 30;
const busyMax = 40;
/**
 * Longer than the claim of an Idempotency-Key whose process was killed, and than a job whose message was lost: the
 * sweeper, which runs every minute, sends it again.
 */
const waitMsMax = 240_000;
/** A field that no endpoint has. */
const unused = "unusedField";
const temporary = ["UNAVAILABLE", "DEADLINE_EXCEEDED"];

export class Client implements Follower {
  readonly name: string;
  readonly random: Random;
  readonly as: Credentials;
  readonly report: Report;
  /** The end of the run. A step that has begun is finished within the time of a wait. */
  isOver = () => false;
  number = 0;
  /** The page tokens of all clients, each with the workspace that it was issued for. */
  pageTokens: { workspace: string; token: string }[] = [];
  readonly #service: Service;
  readonly #connection = new Connection();

  constructor(name: string, random: Random, as: Credentials, service: Service, report: Report) {
    this.name = name;
    this.random = random;
    this.as = as;
    this.#service = service;
    this.report = report;
  }

  requestOf(endpoint: string, data: Fields, { as = this.as, key }: CallOptions = {}): Request {
    const declared = endpointNamed(endpoint);
    const own = { apiKey: as.apiKey, authToken: as.authToken };
    const filled = data.apiKey === "{apiKey}" ? { ...data, ...own } : data;
    const isOpen = declared.credentials === "none";
    return {
      method: this.random.from(methodsOf(declared)),
      path: isOpen ? pathWith(declared.path, filled) : declared.path,
      headers: {
        "content-type": "application/json",
        "x-service-api-key": as.apiKey,
        "x-service-auth-token": as.authToken,
        ...(key !== undefined && { "idempotency-key": key }),
      },
      body: isOpen ? "" : JSON.stringify({ data: filled }),
    };
  }

  /** Sends the request until it has a reply that is not temporary. Checks the form of each reply. */
  async send(endpoint: string, request: Request): Promise<Outcome | undefined> {
    const declared = endpointNamed(endpoint);
    let wasLost = false;
    const giveUpAt = Date.now() + waitMsMax;
    for (let tries = 0; ; tries++) {
      const answer = await this.#answerTo(endpoint, request);
      if (answer === undefined) return undefined;
      if (typeof answer === "string") {
        wasLost ||= answer === "lost";
        continue;
      }
      const reply = replyOf(declared, answer);
      this.report.count(endpoint, reply.outcome);
      const problem = problemOf(declared, reply, this.random);
      if (problem) {
        this.find(`${endpoint}: ${problem}`, request, answer);
        return undefined;
      }
      // The workspace can have set an address where no model answers.
      const isOwnModel = /at its base URL|did not answer in time|is used up|overloaded or down/.test(
        reply.error?.message ?? "",
      );
      const isBusy = temporary.includes(reply.outcome) && !isOwnModel;
      const isRunning = reply.outcome === "ABORTED" && reply.error?.message.includes("in progress");
      const retryMs = 1_000 * Number(answer.headers["retry-after"]);
      const isLimited = answer.status === 429 && retryMs < waitMsMax;
      if (!isBusy && !isRunning && !isLimited) return { reply, wasLost, request };
      wasLost ||= isBusy;
      if ((isBusy && tries >= busyMax) || Date.now() > giveUpAt) {
        this.find(`${endpoint}: still ${reply.outcome} after ${tries} tries`, request, answer);
        return undefined;
      }
      await sleep(isLimited ? retryMs : 100 + this.random.below(400));
    }
  }

  async #answerTo(endpoint: string, request: Request): Promise<Answer | "lost" | "refused" | undefined> {
    await this.#service.ready;
    this.number += 1;
    const answer = await this.#connection.send(this.#service.url, request);
    if (typeof answer !== "string") return answer;
    if (answer === "late") {
      this.find(`${endpoint}: no reply`, request);
      return undefined;
    }
    if (answer === "refused") await sleep(50);
    this.report.note(`requests without a reply: ${answer}`);
    return answer;
  }

  find(what: string, request: Request, answer?: Answer): void {
    this.report.find(what, { client: this.name, number: this.number, request }, answer && shown(answer));
  }

  /** Takes the step on the service and on the model. Returns false when they differ. */
  async take(step: Step, key?: string): Promise<boolean> {
    const isPadded = this.random.chance(0.05) && !endpointNamed(step.endpoint).refusesUnknownFields;
    const request = this.requestOf(step.endpoint, isPadded ? { ...step.data, [unused]: 1 } : step.data, { key });
    const outcome = await this.send(step.endpoint, request);
    if (!outcome) return false;
    if (outcome.reply.headers[ignoredFieldsHeader] !== (isPadded ? unused : undefined)) {
      this.find(`${step.endpoint}: the header ${ignoredFieldsHeader} is wrong`, request, outcome.reply);
      return false;
    }
    const { wasLost } = outcome;
    const reply = await this.#withAllPages(step, outcome.reply);
    if (!reply) return false;
    const before = step.expect();
    step.apply?.(wasLost);
    const problem = difference(step, reply, before, wasLost ? step.expect() : undefined);
    if (problem) {
      this.find(`${step.endpoint}: ${problem}${wasLost ? " (sent again after no reply)" : ""}`, request, reply);
      return false;
    }
    if (reply.outcome !== "OK") return true;
    step.adopt?.(reply);
    const failure = await step.follow?.(this);
    if (failure && !this.isOver()) this.find(`${step.endpoint}: ${failure}`, request, reply);
    return failure === undefined;
  }

  /** The reply with the entries of all later pages. */
  async #withAllPages(step: Step, first: Reply): Promise<Reply | undefined> {
    if (!step.lists || first.outcome !== "OK") return first;
    const [content, place] = partsOf(first);
    let pageToken: string | null = place.nextPageToken;
    for (let pages = 1; pageToken !== null; pages++) {
      this.pageTokens.push({ workspace: this.as.apiKey, token: pageToken });
      if (this.pageTokens.length > pageTokensMax) this.pageTokens.shift();
      const request = this.requestOf(step.endpoint, { ...step.data, pageToken });
      const outcome = await this.send(step.endpoint, request);
      if (!outcome) return undefined;
      const isOk = outcome.reply.outcome === "OK";
      if (!isOk || pages > pagesMax) {
        this.find(`${step.endpoint}: page ${pages} is ${outcome.reply.outcome}`, request, outcome.reply);
        return undefined;
      }
      const [more, next] = partsOf(outcome.reply);
      for (const list of step.lists) content[list].push(...more[list]);
      pageToken = next.nextPageToken;
    }
    return first;
  }

  async read(endpoint: string, data: Fields): Promise<Json | undefined> {
    const outcome = await this.send(endpoint, this.requestOf(endpoint, data));
    if (!outcome) return undefined;
    if (outcome.reply.outcome === "OK") return outcome.reply.data;
    this.find(`${endpoint}: the outcome is ${outcome.reply.outcome}, not OK`, outcome.request, outcome.reply);
    return undefined;
  }

  async until(what: string, isSo: () => Promise<boolean | undefined>): Promise<string | undefined> {
    const giveUpAt = Date.now() + waitMsMax;
    for (let pauseMs = 20; Date.now() < giveUpAt; pauseMs = Math.min(1_000, pauseMs * 1.5)) {
      const holds = await isSo();
      if (holds) return undefined;
      if (holds === undefined) return "a read failed";
      await sleep(pauseMs);
    }
    return `not in ${waitMsMax / 1_000} s: ${what}`;
  }

  close(): void {
    this.#connection.close();
  }
}

/** What has the lists, and what has the page token. */
function partsOf({ data }: Reply): [Json, Json] {
  return data.result ? [data.result.data, data.result] : [data, data];
}

const shown = ({ status, text, headers }: Answer) => `HTTP ${status} ${headers["x-request-id"]} ${text}`;

/** Less than the HTTP server takes. */
const segmentLengthMax = 1_000;

/** An endpoint without credentials has its fields in the path, where none is empty. */
const pathWith = (path: string, data: Fields) => path.replace(/\{(\w+)\}/g, (_, name) => segmentOf(data[name]));
const segmentOf = (value: unknown) =>
  encodeURIComponent((textOf(value) || "x").slice(0, segmentLengthMax).toWellFormed());
/** As JSON: an object of a wild request can have a field toString, and is no text then. */
const textOf = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
