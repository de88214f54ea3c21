// Who has access, and whether anything reaches a user after the access has ended.

import { documentsDataGet } from "../../../functions/comments/documents-data-get.ts";
import { crdtGet } from "../../../functions/editor-content/crdt-get.ts";
import { crdtList } from "../../../functions/editor-content/crdt-list.ts";
import { liveOpen } from "../../../functions/live/live-open.ts";
import { permissionsAdd } from "../../../functions/permissions/permissions-add.ts";
import { permissionsRemove } from "../../../functions/permissions/permissions-remove.ts";
import { presenceGet } from "../../../functions/presence/presence-get.ts";
import type { Endpoint } from "../../../lib/http/endpoint.ts";
import { type Credentials, must, type Reply } from "../call.ts";
import type { Random } from "../random.ts";
import { callAs } from "../users.ts";
import { onDocument } from "../workspace.ts";
import { place, type User } from "./user.ts";

export type Role = "editor" | "viewer" | undefined;

/** Begins what somebody has written on the document: a comment or its like, or a word of the editor. */
const written = /[«‹]/;
/** Two windows and an overlap: so long, a page that has subscribed hears that something happens. */
const heardMs = 390_000;

const { documentId } = place;
const readings: [Pick<Endpoint, "name">, object][] = [
  [documentsDataGet, { documentId, kind: "comments" }],
  [documentsDataGet, { documentId, kind: "reactions" }],
  [crdtGet, { documentId, editorId: "body" }],
  [crdtList, { documentId }],
  [presenceGet, { documentId }],
  [liveOpen, { documentId }],
];

export class Access {
  /** How often something could have reached a user without access. */
  cases = 0;
  readonly leaks: string[] = [];
  readonly #as: Credentials;
  readonly #endedAt = new Map<User, number>();
  readonly #roles = new Map<User, Role>();

  constructor(as: Credentials) {
    this.#as = as;
  }

  of(user: User): Role {
    return this.#roles.get(user);
  }

  async give(user: User, accessRole: "editor" | "viewer"): Promise<void> {
    this.#endedAt.delete(user);
    this.#roles.set(user, accessRole);
    const permissions = { resources: [onDocument(documentId, { accessRole })] };
    await must(permissionsAdd, { as: this.#as, data: { user: { userId: user.userId }, permissions } });
  }

  async take(user: User): Promise<void> {
    this.#roles.set(user, undefined);
    const permissions = { resources: [onDocument(documentId)] };
    await must(permissionsRemove, { as: this.#as, data: { user: { userId: user.userId }, permissions } });
    this.ended(user);
  }

  ended(user: User): void {
    this.#roles.set(user, undefined);
    this.#endedAt.set(user, Date.now());
  }

  /** Call it before a call of a page, and what it returns with the reply. */
  calling(user: User, { name }: Pick<Endpoint, "name">): (reply: Pick<Reply, "status" | "body">) => void {
    const endedAt = this.#endedAt.get(user);
    return ({ status, body }) => {
      if (endedAt === undefined || this.#endedAt.get(user) !== endedAt) return;
      this.cases++;
      const isOfDocument =
        name === liveOpen.name ? body.result?.data.role : readings.some(([each]) => each.name === name);
      if (status === 200 && isOfDocument) this.leaks.push(`${user.userId} got a reply of ${name}`);
      if (written.test(JSON.stringify(body))) this.leaks.push(`${user.userId} got ${JSON.stringify(body)} by ${name}`);
    };
  }

  /** A message of the engine to a page. */
  heard(user: User, text: string): void {
    const { type, event = "" } = JSON.parse(text);
    if (type !== "data") return;
    const { user: speaker, kind } = JSON.parse(event);
    // What pages share with each other is no message of the service.
    if (!speaker && written.test(event)) this.leaks.push(`${user.userId} heard ${event}`);
    const endedAt = this.#endedAt.get(user);
    if (endedAt === undefined || kind === "notifications") return;
    this.cases++;
    if (Date.now() > endedAt + heardMs) this.leaks.push(`${user.userId} still heard ${event}`);
  }

  /** The user tries to read, past the client. */
  async probe(user: User, random: Random): Promise<void> {
    if (!this.#endedAt.has(user)) return;
    const [endpoint, data] = random.from(readings);
    const check = this.calling(user, endpoint);
    const reply = await callAs(await user.token(true), endpoint, data);
    check(reply);
  }
}
