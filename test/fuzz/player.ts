// What one client does next: a step of its own workspace, a broken request, a call that all share, or a wild one.
import { isDeepStrictEqual } from "node:util";
import type { Credentials } from "../support/event.ts";
import { breakRequest } from "./break.ts";
import type { Client } from "./client.ts";
import { endpointNamed } from "./envelope.ts";
import { remember, type Seen } from "./seen.ts";
import type { Shared } from "./shared.ts";
import type { Fields, Step } from "./step.ts";
import { workspaceSteps, worldReads, worldSteps } from "./steps/all.ts";
import { anyEndpoint, damaged, dataFor, mutated } from "./wild.ts";
import { WorkspaceModel } from "./workspace-model.ts";
import { World } from "./world.ts";

/** An organization is left after this many steps: a long one only repeats itself, and its data grows. */
const worldStepsMax = 400;
/** Page tokens and ids of replies that later requests use. */
const rememberedMax = 30;
const kinds = [
  [52, "world"],
  [8, "workspace"],
  [24, "break"],
  [6, "shared"],
  [10, "wild"],
] as const;

/** What the clients of one server know of each other. */
export interface Neighbours {
  shared: Shared;
  demo: Credentials;
  receiver: string;
  pageTokens: Client["pageTokens"];
  seenIds: Seen[];
}

export class Player {
  readonly #client: Client;
  /** The same client in the workspace that all share. */
  readonly #guest: Client;
  readonly #neighbours: Neighbours;
  #world: World | undefined;
  #worlds = 0;
  /** Of the workspace's own settings. Undefined after a difference: the settings cannot be left as a world can. */
  #model: WorkspaceModel | undefined;

  constructor(client: Client, guest: Client, neighbours: Neighbours) {
    this.#client = client;
    this.#guest = guest;
    this.#neighbours = neighbours;
    this.#model = new WorkspaceModel(`${neighbours.receiver}${client.as.apiKey}`);
  }

  async next(): Promise<void> {
    const kind = this.#client.random.weighted(kinds);
    if (kind === "world") await this.#takeOwn(await this.#currentWorld());
    else if (kind === "workspace") await this.#takeOwn(undefined);
    else if (kind === "break") await this.#breakOne();
    else if (kind === "shared") await this.#neighbours.shared.take(this.#guest);
    else await this.#goWild();
  }

  /** Compares all that can be read with the model. */
  async compare(): Promise<void> {
    const world = this.#world;
    for (const make of worldReads) {
      if (!world || world.isBroken) return;
      const step = make(world, this.#client.random);
      if (step && !(await this.#client.take(step))) world.isBroken = true;
    }
  }

  async #currentWorld(): Promise<World | undefined> {
    if (this.#world && !this.#world.isBroken && this.#world.steps < worldStepsMax) return this.#world;
    await this.compare();
    const { random } = this.#client;
    this.#worlds += 1;
    const world = new World(random, `${random.from(["acme", "o#D#d", "🦜%23"])}-${this.#worlds}`);
    const { organizationId } = world;
    const created = await this.#client.read("organizations-add", { organizations: [{ organizationId }] });
    this.#world = created ? world : undefined;
    return this.#world;
  }

  /** Without a world: a step of the workspace. */
  #anyStep(world: World | undefined): Step | undefined {
    const { random } = this.#client;
    if (world) return random.weighted(worldSteps)(world, random);
    return this.#model && random.weighted(workspaceSteps)(this.#model, random);
  }

  async #takeOwn(world: World | undefined): Promise<void> {
    const { random, name, number } = this.#client;
    const step = this.#anyStep(world);
    if (!step) return;
    const isKeyed = endpointNamed(step.endpoint).isWrite && (step.isCreation || random.chance(0.05));
    const key = isKeyed ? `${name}-${number}` : undefined;
    const isRight = await this.#client.take(step, key);
    if (world) world.steps += 1;
    if (!isRight && world) world.isBroken = true;
    if (!isRight && !world) this.#model = undefined;
    if (isRight && key !== undefined && !step.follow) await this.#repeat(step, key, world);
  }

  /** The same key with the same data returns the first reply; with other data it is refused. */
  async #repeat(step: Step, key: string, world: World | undefined): Promise<void> {
    const { endpoint, data } = step;
    const first = await this.#client.send(endpoint, this.#client.requestOf(endpoint, data, { key }));
    const again = await this.#client.send(endpoint, this.#client.requestOf(endpoint, data, { key }));
    if (!first || !again) return;
    const isStored = first.reply.headers["idempotent-replayed"] === "true";
    const isTwice = again.reply.headers["idempotent-replayed"] === "true";
    if (isStored !== isTwice || (isStored && !isDeepStrictEqual(first.reply.body, again.reply.body))) {
      this.#client.find(`${endpoint}: a repeated Idempotency-Key has another reply`, again.request, again.reply);
    }
    if (!isStored || !this.#client.random.chance(0.3)) return;
    const other = this.#otherData(step, world);
    if (!other) return;
    const request = this.#client.requestOf(endpoint, other, { key });
    const refused = await this.#client.send(endpoint, request);
    if (refused && !["ABORTED", "FAILED_PRECONDITION"].includes(refused.reply.outcome)) {
      this.#client.find(`${endpoint}: an Idempotency-Key was used for other data`, request, refused.reply);
    }
  }

  /** Valid data of another step on the same endpoint. */
  #otherData({ endpoint, data }: Step, world: World | undefined): Fields | undefined {
    const sent = JSON.stringify(data);
    for (let tries = 0; tries < 50; tries++) {
      const step = this.#anyStep(world);
      if (step?.endpoint === endpoint && JSON.stringify(step.data) !== sent) return step.data;
    }
    return undefined;
  }

  async #breakOne(): Promise<void> {
    const { random, as } = this.#client;
    const step = this.#anyStep(random.chance(0.7) ? await this.#currentWorld() : undefined);
    if (!step) return;
    const endpoint = endpointNamed(step.endpoint);
    const request = this.#client.requestOf(step.endpoint, step.data);
    const others = this.#neighbours.pageTokens.filter(({ workspace }) => workspace !== as.apiKey);
    const foreign = { authToken: this.#guest.as.authToken, pageTokens: others.map(({ token }) => token) };
    const broken = breakRequest({ endpoint, data: step.data, request }, random, foreign);
    if (!broken) return;
    const outcome = await this.#client.send(broken.endpoint.name, broken.request);
    if (!outcome || broken.outcomes.includes(outcome.reply.outcome)) return;
    const what = `${step.endpoint}: a broken request is ${outcome.reply.outcome}, not ${broken.outcomes.join(" or ")}`;
    this.#client.find(what, broken.request, outcome.reply);
    if (this.#world) this.#world.isBroken = true;
  }

  async #goWild(): Promise<void> {
    const { random } = this.#client;
    const endpoint = anyEndpoint(random);
    const data = dataFor(endpoint, random, this.#neighbours);
    const sent = random.chance(0.4) ? mutated(data, random) : data;
    const request = this.#client.requestOf(endpoint.name, sent, { as: this.#neighbours.demo });
    const hasBody = endpoint.credentials !== "none";
    const final = hasBody && random.chance(0.1) ? damaged(request, random) : request;
    const outcome = await this.#client.send(endpoint.name, final);
    if (outcome) this.#remember(outcome.reply.body);
  }

  #remember(body: unknown): void {
    const { pageTokens, seenIds, demo } = this.#neighbours;
    const text = JSON.stringify(body);
    const token = /"nextPageToken":"([^"]+)"/.exec(text)?.[1];
    if (token) pageTokens.push({ workspace: demo.apiKey, token });
    if (pageTokens.length > rememberedMax) pageTokens.shift();
    remember(seenIds, body);
  }
}
