// A service, the engine of its live messages and the pages of its users, all in this process and in simulated time.
// While `isHard` is true, calls, messages, connections and processes fail at random, from the seed.

import { documentsAdd } from "../../../functions/documents/documents-add.ts";
import { organizationsAdd } from "../../../functions/organizations/organizations-add.ts";
import { usersAdd } from "../../../functions/users/users-add.ts";
import { handler as decide, liveAuthorize } from "../../../functions/workers/live-authorize.ts";
import { endpoints } from "../../../infra/deployables.ts";
import { type HardLive, hardLive } from "../../../infra/local/hard/live.ts";
import type { Realtime } from "../../../infra/local/live/connection.ts";
import { onPublish } from "../../../infra/stack/live/aware-on-publish.js";
import type { Endpoint } from "../../../lib/http/endpoint.ts";
import * as Setting from "../../../lib/store/setting.ts";
import { type Credentials, call, contextOf, must, type Reply } from "../call.ts";
import { inContainer } from "../exact/containers.ts";
import { liveInMemory } from "../local/live.ts";
import { Random } from "../random.ts";
import { receive, workerOf } from "../run-worker.ts";
import { openJobs } from "../scan.ts";
import { newService, type Process, processes, spendCall } from "../service-in-memory.ts";
import { organizationId } from "../workspace.ts";
import { Access } from "./access.ts";
import { Page } from "./page.ts";
import { settle, stir, wait } from "./time.ts";
import { place, User } from "./user.ts";
import { Words } from "./words.ts";

const byPath = new Map<string, Endpoint>(endpoints.map((each) => [each.path, each]));
const rates = { failed: 0.05, ended: 0.01, lost: 0.1, doubled: 0.1, late: 0.2, lateMsMax: 3_000 };
/** Shares of calls whose request or reply is lost, and whose process dies. */
const [lostShare, diesShare] = [0.04, 0.05];
/** A call makes about so many requests to AWS. */
const callsOfProcess = 20;
export class World {
  readonly random: Random;
  readonly as: Credentials;
  readonly access: Access;
  readonly users: readonly User[];
  readonly words = new Words();
  readonly realtime: Realtime;
  /** Failures of checks on the way. */
  readonly broken: unknown[] = [];
  pages: Page[] = [];
  isHard = true;
  /** Neither the service nor the engine can be reached. */
  isDown = false;
  /** What has happened, for who looks for the cause of a failure. */
  readonly trace: string[] = [];
  readonly #hard: HardLive;
  readonly #running = new Set<Process>();
  readonly #live: ReturnType<typeof liveInMemory>;

  static async create(seed: string): Promise<World> {
    const random = new Random(seed);
    const { as } = await newService(() => {
      stir();
      return 0;
    });
    await must(organizationsAdd, { as, data: { organizations: [{ organizationId }] } });
    await Setting.update({ workspace: as.apiKey }, "switches", { browser: true, live: true });
    await Setting.update({ workspace: as.apiKey }, "access", { defaultAccessType: "restricted" });
    const world = new World(random, as);
    await world.addDocument();
    const users = world.users.map(({ userId }) => ({ userId, name: `The ${userId}`, email: `${userId}@example.com` }));
    await must(usersAdd, { as, data: { organizationId, users } });
    await world.renewTokens();
    for (const user of world.users) {
      await world.access.give(user, "editor");
      world.pages.push(new Page(world, user));
    }
    return world;
  }

  private constructor(random: Random, as: Credentials) {
    this.random = random;
    this.as = as;
    this.access = new Access(as);
    this.users = ["alice", "bob", "carol", "dave"].map((each) => new User(each));
    this.#hard = hardLive(random.below(2 ** 31), rates);
    this.#live = liveInMemory({
      authorizer: (event) =>
        inContainer(liveAuthorize, async () => decide(event as never, contextOf("live-authorize") as never)),
      handlers: { aware: async () => onPublish as never },
      pass: (hear, end) => {
        stir();
        if (this.isHard) this.#hard.pass(hear, end);
        else hear();
      },
    });
    this.realtime = this.#live.realtime;
  }

  /** The pages that are not closed for good. */
  get open(): Page[] {
    return this.pages.filter(({ isDead }) => !isDead);
  }

  async addDocument(): Promise<void> {
    await must(documentsAdd, { as: this.as, data: { organizationId, documents: [{ documentId: place.documentId }] } });
  }

  async renewTokens(): Promise<void> {
    await settle();
    for (const user of this.users) await user.renewToken(this.as, this.random);
  }

  note(what: string, page?: Page): void {
    const who = page ? `${page.user.userId} on page ${page.id}: ` : "";
    this.trace.push(`${(performance.now() / 1_000).toFixed(2)} s ${who}${what}`);
  }

  latency(): number {
    if (!this.isHard) return 5;
    return this.random.below(this.random.chance(0.05) ? 5_000 : 40);
  }

  #fails = (share: number) => this.isHard && this.random.chance(share);

  /** A call of a page. */
  async fetch(page: Page, request: Request): Promise<Response> {
    stir();
    const endpoint = byPath.get(new URL(request.url).pathname) as Endpoint;
    const body = await request.text();
    const headers = Object.fromEntries(request.headers);
    await wait(this.latency());
    const cannotSend = () => this.isDown || page.isOffline;
    if (cannotSend() || this.#fails(lostShare)) throw new TypeError("fetch failed");
    const check = this.access.calling(page.user, endpoint);
    const reply = await this.calls(endpoint, { body, headers });
    if (reply) check(reply);
    const outcome = reply?.error?.status ?? reply?.status ?? "dies";
    this.note(`${endpoint.name} ${outcome} ${body.slice(0, 200)}`, page);
    await wait(this.latency());
    await new Promise<void>((resolve) => page.awake(resolve));
    if (!reply || page.isOffline || this.#fails(lostShare)) throw new TypeError("fetch failed");
    return new Response(JSON.stringify(reply.body), { status: reply.status, headers: reply.headers });
  }

  /** One that dies does so anywhere, or when its change is written and nobody knows of it yet. */
  #newProcess(): Process {
    if (!this.#fails(diesShare)) return { callsLeft: Infinity };
    if (this.random.chance(0.5)) return { callsLeft: Infinity, last: "TransactWriteCommand" };
    return { callsLeft: this.random.below(callsOfProcess) };
  }

  /** A call that can die. Undefined: without a reply. */
  async calls(
    endpoint: Pick<Endpoint, "name">,
    options: Parameters<typeof call>[1],
    process: Process = this.#newProcess(),
  ): Promise<Reply | undefined> {
    this.#running.add(process);
    try {
      const reply = await processes.run(process, () => call(endpoint, options));
      return process.callsLeft < 0 ? undefined : reply;
    } catch (thrown) {
      if (process.callsLeft >= 0) this.broken.push(thrown);
      return undefined;
    } finally {
      this.#running.delete(process);
      stir();
    }
  }

  /** Publishes as a function does. */
  async publish(channel: string, events: readonly string[]): Promise<void> {
    stir();
    spendCall();
    if (this.isDown) throw new Error("The engine is down.");
    const send = () => this.#live.publish(channel, ...events);
    await (this.isHard ? this.#hard.publish(send) : send());
  }

  /** All that runs dies: calls, and connections. */
  kill(): void {
    this.isDown = true;
    for (const process of this.#running) process.callsLeft = 0;
    for (const page of this.pages) for (const socket of [...page.sockets]) socket.cut();
  }

  /** Runs the jobs that are due. Returns whether there were any. */
  async runJobs(): Promise<boolean> {
    const jobs = (await openJobs()).filter(
      ({ kind, state, dueAt, workspace }) =>
        workspace === this.as.apiKey && kind !== "message" && state !== "failed" && dueAt <= Date.now(),
    );
    for (const { kind, id } of jobs) {
      const process = this.#newProcess();
      await processes
        .run(process, () => receive(workerOf(kind), [id], 60_000))
        .catch((thrown) => {
          if (process.callsLeft >= 0) this.broken.push(thrown);
        });
    }
    return jobs.length > 0;
  }

  end(): void {
    this.#hard.close();
    for (const page of this.open) page.kill();
  }
}
