// What the service holds, said as simply as can be: plain maps, changed at once. Time and the workers change it only
// where a caller can see that they do.
export type Fields = Record<string, unknown>;
export type Kind = "comments" | "reactions" | "recordings";
export type Role = "viewer" | "editor";

export interface Feature {
  kind: Kind;
  id: string;
  record: Fields;
  participants: string[];
}

export interface Place {
  location: Fields;
  features: Feature[];
}

interface Grant {
  role: Role;
  life: number;
}

export interface Document {
  id: string;
  grants: Map<string, Grant>;
  places: Map<string, Place>;
  /** By editor. */
  texts: Map<string, string>;
  /** By user: Unix seconds of the end. */
  presence: Map<string, number>;
}

interface User {
  life: number;
  hasProfile: boolean;
  role?: Role | undefined;
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
  /** Grants on ids that no document has. */
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
    const document = { id, grants, places: new Map(), texts: new Map(), presence: new Map() };
    this.documents.set(id, document);
    this.reserved.delete(id);
    return document;
  }

  user(id: string): User {
    const user = this.users.get(id) ?? { life: 0, hasProfile: false };
    this.users.set(id, user);
    return user;
  }

  grant(userId: string, documentId: string, role: Role): void {
    const grants = this.documents.get(documentId)?.grants ?? this.reserved.get(documentId) ?? new Map();
    if (!this.documents.has(documentId)) this.reserved.set(documentId, grants);
    grants.set(userId, { role, life: this.user(userId).life });
  }

  /** A grant of the user's present life, or what the organization gives. */
  roleOn(userId: string, { grants }: Document): Role | undefined {
    const [user, grant] = [this.user(userId), grants.get(userId)];
    return grant?.life === user.life ? grant.role : user.role;
  }

  /** Under the id already, at this location. */
  held(documentId: string, location: Fields, kind: Kind, id: string): Feature[] {
    const place = this.documents.get(documentId)?.places.get(identityOf(location));
    return (place?.features ?? []).filter((each) => each.kind === kind && each.id === id);
  }

  addFeature({ places }: Document, location: Fields, feature: Feature): "Added." | "Replaced." {
    const place = places.get(identityOf(location)) ?? { location, features: [] };
    places.set(identityOf(location), place);
    const index = place.features.findIndex(({ kind, id }) => kind === feature.kind && id === feature.id);
    place.features.splice(index < 0 ? place.features.length : index, 1, feature);
    return index < 0 ? "Added." : "Replaced.";
  }

  /** False: the new identity is taken. */
  updateLocation({ places }: Document, from: Fields, to: Fields, merge: boolean): boolean {
    const [oldIdentity, identity] = [identityOf(from), identityOf(merge ? { ...from, ...to } : to)];
    const old = places.get(oldIdentity);
    const target = identity === oldIdentity ? undefined : places.get(identity);
    if (target && !merge) return false;
    const location = merge ? { ...(target ?? old)?.location, ...((target ?? old) ? {} : from), ...to } : to;
    places.delete(oldIdentity);
    places.set(identity, { location, features: [...(target?.features ?? []), ...(old?.features ?? [])] });
    return true;
  }

  /** One run of a notification's worker; a short one ends after a step. */
  fanOut(note: Note, isShort: boolean): void {
    if (!this.isLive(note.document)) note.step = "over";
    if (note.step === "over") return;
    const members = [...this.users].filter(([id, { role }]) => role && !note.named.includes(id)).map(([id]) => id);
    const candidates = note.step === "named" ? note.named : members;
    for (const id of candidates) {
      if (!note.verify || this.roleOn(id, note.document)) note.recipients.add(id);
    }
    note.step = note.step === "named" && note.notifyAll ? "members" : "over";
    if (!isShort) this.fanOut(note, isShort);
  }

  /** The first run of a migration's worker; the others change nothing that shows. */
  migrate(migration: Migration): void {
    const { document, oldId, newId, isOver } = migration;
    migration.isOver = true;
    if (isOver || this.documents.get(oldId) !== document || this.documents.has(newId)) return;
    for (const [userId, grant] of this.reserved.get(newId) ?? []) {
      if ((document.grants.get(userId)?.life ?? -1) < grant.life) document.grants.set(userId, grant);
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

/** What names a location. */
export function identityOf({ id, locationName }: Fields): string {
  return id === undefined ? `name ${locationName}` : `id ${id}`;
}
