// A simple model of what the service stores, in plain maps. Each call changes it immediately. Workers and time change
// it only where a caller can see the change.
export type Fields = Record<string, unknown>;
export type Kind = "comments" | "reactions" | "recordings";
export type Role = "viewer" | "editor";

export interface Feature {
  kind: Kind;
  id: string;
  record: Fields;
  participants: string[];
}

export interface LocationData {
  location: Fields;
  features: Feature[];
}

export interface Grant {
  role: Role;
  generation: number;
  /** Unix seconds. */
  expiresAt?: number | undefined;
}

export interface Document {
  id: string;
  grants: Map<string, Grant>;
  /** By identity. */
  locations: Map<string, LocationData>;
  /** By editor. */
  texts: Map<string, string>;
  /** By user: Unix seconds of the end. */
  presence: Map<string, number>;
  documentName?: string | undefined;
  folderId?: string | undefined;
  accessType?: string | undefined;
}

interface User {
  generation: number;
  /** When the generation began, ISO 8601; absent: the first. */
  since?: string | undefined;
  hasProfile: boolean;
  /** Got a grant without having a profile. */
  wasGranted?: boolean;
  name?: string | undefined;
  /** The grant on the organization. */
  role?: Role | undefined;
  expiresAt?: number | undefined;
  isAdmin?: boolean | undefined;
}

export interface Note {
  id: string;
  at: string;
  document: Document;
  named: string[];
  notifyAll: boolean;
  verify: boolean;
  step: "named" | "members" | "over";
  recipients: Set<string>;
}

interface Migration {
  document: Document;
  oldId: string;
  newId: string;
  isOver: boolean;
}

export class Model {
  readonly documents = new Map<string, Document>();
  /** Grants on ids of documents that do not exist, by id. */
  readonly reserved = new Map<string, Map<string, Grant>>();
  readonly users = new Map<string, User>();
  readonly notes: Note[] = [];
  readonly migrations = new Map<string, Migration>();

  isLive(document: Document): boolean {
    return this.documents.get(document.id) === document;
  }

  addDocument(id: string): Document | undefined {
    if (this.documents.has(id)) return undefined;
    const grants = this.reserved.get(id) ?? new Map();
    const document = { id, grants, locations: new Map(), texts: new Map(), presence: new Map() };
    this.documents.set(id, document);
    this.reserved.delete(id);
    return document;
  }

  user(id: string): User {
    const user = this.users.get(id) ?? { generation: 0, hasProfile: false };
    this.users.set(id, user);
    return user;
  }

  grant(userId: string, documentId: string, role: Role, expiresAt?: number): void {
    const grants = this.documents.get(documentId)?.grants ?? this.reserved.get(documentId) ?? new Map();
    if (!this.documents.has(documentId)) this.reserved.set(documentId, grants);
    grants.set(userId, { role, generation: this.user(userId).generation, expiresAt });
    this.user(userId).wasGranted = true;
  }

  /** Whether the user has a grant of the current generation on the document, or without one, on the organization. */
  hasGrant(userId: string, documentId: string | undefined): boolean {
    const { role, generation } = this.user(userId);
    if (documentId === undefined) return role !== undefined;
    const grants = this.documents.get(documentId)?.grants ?? this.reserved.get(documentId);
    return grants?.get(userId)?.generation === generation;
  }

  /** Whether the user exists: has a profile, or got a grant. */
  isKnown(userId: string): boolean {
    const { hasProfile, wasGranted = false } = this.user(userId);
    return hasProfile || wasGranted;
  }

  /**
   * The role of the grant on the document if it is of the user's current generation, else the role on the organization.
   */
  roleOn(userId: string, { grants }: Document): Role | undefined {
    const [user, grant] = [this.user(userId), grants.get(userId)];
    return grant?.generation === user.generation ? grant.role : user.role;
  }

  /** The features that the location has under this id. */
  featuresAt(documentId: string, location: Fields, kind: Kind, id: string): Feature[] {
    const stored = this.documents.get(documentId)?.locations.get(identityOf(location));
    return (stored?.features ?? []).filter((each) => each.kind === kind && each.id === id);
  }

  /** Whether another location of the document has a feature with this id. */
  isElsewhere({ locations }: Document, location: Fields, { kind, id }: Pick<Feature, "kind" | "id">): boolean {
    const others = [...locations].filter(([identity]) => identity !== identityOf(location));
    return others.some(([, { features }]) => features.some((each) => each.kind === kind && each.id === id));
  }

  /** Returns the message of the result. A location comes with its first feature: a refused one adds none. */
  addFeature(document: Document, location: Fields, feature: Feature): string {
    const { locations } = document;
    if (this.isElsewhere(document, location, feature)) return idElsewhere;
    const { features } = locations.get(identityOf(location)) ?? { features: [] };
    if (!locations.has(identityOf(location))) locations.set(identityOf(location), { location, features });
    const index = features.findIndex(({ kind, id }) => kind === feature.kind && id === feature.id);
    features.splice(index < 0 ? features.length : index, 1, feature);
    return index < 0 ? "Added." : "Replaced.";
  }

  /** Returns false when the new identity is taken. */
  updateLocation({ locations }: Document, from: Fields, to: Fields, merge: boolean): boolean {
    const [oldIdentity, identity] = [identityOf(from), identityOf(merge ? { ...from, ...to } : to)];
    const old = locations.get(oldIdentity);
    const target = identity === oldIdentity ? undefined : locations.get(identity);
    if (target && !merge) return false;
    const location = merge ? { ...(target ?? old)?.location, ...((target ?? old) ? {} : from), ...to } : to;
    locations.delete(oldIdentity);
    locations.set(identity, { location, features: [...(target?.features ?? []), ...(old?.features ?? [])] });
    return true;
  }

  /** One run of a notification's worker. A short run ends after one step. */
  fanOut(note: Note, isShort: boolean): void {
    if (!this.isLive(note.document)) note.step = "over";
    if (note.step === "over") return;
    const others = [...this.users.keys()].filter((id) => this.isKnown(id) && !note.named.includes(id));
    const candidates = note.step === "named" ? note.named : others;
    for (const id of candidates) {
      if ((this.user(id).since ?? "") > note.at) continue;
      if (!note.verify || this.roleOn(id, note.document)) note.recipients.add(id);
    }
    note.step = note.step === "named" && note.notifyAll ? "members" : "over";
    if (!isShort) this.fanOut(note, isShort);
  }

  /** The first run of a migration's worker. Later runs change nothing that a caller can see. */
  migrate(migration: Migration): void {
    const { document, oldId, newId, isOver } = migration;
    migration.isOver = true;
    if (isOver || this.documents.get(oldId) !== document || this.documents.has(newId)) return;
    for (const [userId, grant] of this.reserved.get(newId) ?? []) {
      if ((document.grants.get(userId)?.generation ?? -1) < grant.generation) document.grants.set(userId, grant);
    }
    this.reserved.delete(newId);
    this.documents.delete(oldId);
    document.id = newId;
    this.documents.set(newId, document);
  }

  liveNotes(): Note[] {
    return this.notes.filter(({ document }) => this.isLive(document));
  }
}

/** The message of an item whose id another location of the document has. */
export const idElsewhere = "Another location of the document has this id.";

/** The identity of a location. */
export function identityOf({ id, locationName }: Fields): string {
  return id === undefined ? `name ${locationName}` : `id ${id}`;
}
