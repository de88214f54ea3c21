// What all clients do in one workspace at the same time. Little can be said about the order of their calls, so only
// facts are checked that no order changes: an addition succeeds once, an added thing is found, and a grant that was
// removed stays removed until its own client gives it again.
import type { Client } from "./client.ts";
import { own } from "./step.ts";

const organizationId = "common";
const board = "board";
/** How many calls race for one id. */
const racersMax = 12;

type Race = (id: string) => { endpoint: string; data: Record<string, unknown>; id: string };

const races: readonly Race[] = [
  (id) => ({ endpoint: "documents-add", data: { organizationId, documents: [{ documentId: id }] }, id }),
  (id) => ({ endpoint: "folders-add", data: { organizationId, folders: [{ folderId: id }] }, id }),
  (id) => ({ endpoint: "users-add", data: { organizationId, users: [{ userId: id }] }, id }),
  (id) => ({ endpoint: "organizations-add", data: { organizations: [{ organizationId: id }] }, id }),
  (id) => ({
    endpoint: "usergroups-add",
    data: { organizationId, organizationUserGroups: [{ organizationUserGroupId: id }] },
    id,
  }),
];

export class Shared {
  #started = 0;
  readonly #wins = new Map<string, number>();
  readonly #documents: string[] = [];
  /** By client: the role that its own guest has on the board. */
  readonly #guests = new Map<Client, string | undefined>();

  /** Creates what all share, once. */
  async prepare(client: Client): Promise<void> {
    await client.read("organizations-add", { organizations: [{ organizationId }] });
    const documents = [{ documentId: board, accessType: "restricted" }];
    await client.read("documents-add", { organizationId, documents });
  }

  async take(client: Client): Promise<void> {
    const { random } = client;
    if (random.chance(0.4)) await this.#race(client);
    else if (random.chance(0.15)) await this.#find(client);
    else if (random.chance(0.5)) await this.#guest(client);
    else await this.#disturb(client);
  }

  async #race(client: Client): Promise<void> {
    this.#started += 1;
    const { endpoint, data, id } = client.random.from(races)(`race-${Math.floor(this.#started / racersMax)}`);
    const outcome = await client.send(endpoint, client.requestOf(endpoint, data));
    if (!outcome) return;
    const { reply, request } = outcome;
    if (reply.outcome !== "OK") return client.find(`${endpoint}: the outcome is ${reply.outcome}`, request, reply);
    if (!own(reply.data, id)?.success) return;
    const name = `${endpoint} ${id}`;
    const wins = (this.#wins.get(name) ?? 0) + 1;
    this.#wins.set(name, wins);
    if (wins > 1) client.find(`${endpoint}: ${wins} calls have added ${id}`, request, reply);
    if (endpoint === "documents-add") this.#documents.push(id);
  }

  async #find(client: Client): Promise<void> {
    const documentIds = client.random.some(this.#documents, 5);
    if (documentIds.length === 0) return;
    const data = await client.read("documents-get", { organizationId, documentIds });
    if (!data || data.documents.length === documentIds.length) return;
    const request = client.requestOf("documents-get", { organizationId, documentIds });
    client.find(`documents-get: an added document is missing: ${JSON.stringify(data.documents)}`, request);
  }

  /** Gives, removes or checks the access of the client's own guest. */
  async #guest(client: Client): Promise<void> {
    const userId = `guest-${client.name}`;
    if (!this.#guests.has(client)) {
      if (await client.read("users-add", { organizationId, documentId: board, users: [{ userId }] })) {
        this.#guests.set(client, "editor");
      }
      return;
    }
    const resources = [{ type: "document", id: board, organizationId }];
    const change = client.random.from(["give", "remove", "check", "check"]);
    if (change === "check") return this.#check(client, userId);
    const role = client.random.from(["viewer", "editor"]);
    const granted = resources.map((each) => ({ ...each, accessRole: role }));
    const isGift = change === "give";
    const data = { user: { userId }, permissions: { resources: isGift ? granted : resources } };
    if (await client.read(isGift ? "permissions-add" : "permissions-remove", data)) {
      this.#guests.set(client, isGift ? role : undefined);
      await this.#check(client, userId);
    }
  }

  async #check(client: Client, userId: string): Promise<void> {
    const data = { organizationId, userIds: [userId], documentIds: [board] };
    const reply = await client.read("permissions-get", data);
    if (!reply) return;
    const found = own(reply, userId)?.documents?.[board]?.accessRole;
    const expected = this.#guests.get(client);
    if (found === expected) return;
    const request = client.requestOf("permissions-get", data);
    client.find(`permissions-get: the role of ${userId} is ${found}, not ${expected}`, request);
    this.#guests.set(client, found);
  }

  /** Updates guests of any client. Without a role, an update never gives access to a user who has none. */
  async #disturb(client: Client): Promise<void> {
    const others = [...this.#guests.keys()];
    if (others.length === 0) return;
    const guests = client.random.some(others, 3).map(({ name }) => ({ userId: `guest-${name}` }));
    const isProfile = client.random.chance(0.5);
    const users = guests.map((each) => ({ ...each, ...(isProfile ? { name: "G" } : { expiresAt: 4_000_000_000 }) }));
    await client.read("users-update", { organizationId, documentId: board, users });
  }
}
