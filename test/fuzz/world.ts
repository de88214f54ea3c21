// The model of one organization. It adds folders, user groups, preferences and temporary access to the model that the
// model test uses.
import { type Document, type Fields, type Grant, Model, type Note, type Role } from "../support/model.ts";
import type { Random } from "../support/random.ts";
import { idsFor } from "./ids.ts";

export type Channel = "inbox" | "email" | "slack";
export type Preference = Partial<Record<Channel, string | undefined>>;

interface Folder {
  parentFolderId: string | undefined;
  accessType: string | undefined;
}

/** A grant that ends far in the future, or has ended: the time of a run decides nothing. */
export const [ended, endsLate] = [1_000_000_000, 4_000_000_000];

export class World extends Model {
  readonly organizationId: string;
  readonly documentIds: readonly string[];
  readonly folderIds: readonly string[];
  readonly userIds: readonly string[];
  readonly groupIds: readonly string[];
  readonly editorIds: readonly string[];
  readonly locations: readonly Fields[];
  readonly folders = new Map<string, Folder>();
  /** By folder, then by user. */
  readonly folderGrants = new Map<string, Map<string, Grant>>();
  /** By group: whether a user is a member. */
  readonly groups = new Map<string, Map<string, boolean>>();
  /** Users who were deleted once. The presence that an earlier life has left is not compared. */
  readonly former = new Set<string>();
  /** By user, on the organization. */
  readonly preferences = new Map<string, Preference>();
  /** By document, then by user. */
  readonly documentPreferences = new Map<Document, Map<string, Preference>>();
  readonly readBy = new Map<Note, Set<string>>();
  /** Further recipients that a notification can have. */
  readonly optional = new Map<Note, Set<string>>();
  steps = 0;
  /** The service and the model differ: nothing that follows would be comparable. */
  isBroken = false;

  constructor(random: Random, organizationId: string) {
    super();
    this.organizationId = organizationId;
    this.documentIds = idsFor(random, "plan", 5);
    this.folderIds = idsFor(random, "plans", 4);
    this.userIds = idsFor(random, "alice", 5);
    this.groupIds = idsFor(random, "reviewers", 2);
    this.editorIds = idsFor(random, "body", 2);
    const [one = "", two = ""] = idsFor(random, "page-1", 2);
    this.locations = [{ id: one }, { id: two, locationName: one, page: 2 }, { locationName: one }];
  }

  #count = 0;
  /** A number that no earlier call has returned. */
  newCount(): number {
    this.#count += 1;
    return this.#count;
  }

  /** Mostly an id of a document that exists: most random ids do not. */
  documentId(random: Random): string {
    const existing = [...this.documents.keys()];
    return existing.length > 0 && random.chance(0.85) ? random.from(existing) : random.from(this.documentIds);
  }

  isAlive = (grant: Grant | undefined, userId: string): boolean =>
    grant !== undefined && grant.generation === this.user(userId).generation && !hasEnded(grant);

  isMember(userId: string): boolean {
    const user = this.user(userId);
    return user.role !== undefined && !hasEnded(user);
  }

  grantFolder(userId: string, folderId: string, role: Role, expiresAt?: number): void {
    const grants = this.folderGrants.get(folderId) ?? new Map<string, Grant>();
    this.user(userId).wasGranted = true;
    this.folderGrants.set(folderId, grants.set(userId, { role, generation: this.user(userId).generation, expiresAt }));
  }

  grantsOn(type: "folder" | "document", id: string): Map<string, Grant> | undefined {
    if (type === "folder") return this.folderGrants.get(id);
    return this.documents.get(id)?.grants ?? this.reserved.get(id);
  }

  /** The folder and its ancestors, nearest first. */
  pathOf(folderId: string | undefined): string[] {
    const path: string[] = [];
    for (let id = folderId; id !== undefined; id = this.folders.get(id)?.parentFolderId) path.push(id);
    return path;
  }

  deleteUser(userId: string): void {
    const { generation } = this.user(userId);
    this.users.set(userId, { generation: generation + 1, hasProfile: false });
    this.former.add(userId);
    this.preferences.delete(userId);
    for (const preferences of this.documentPreferences.values()) preferences.delete(userId);
    for (const members of this.groups.values()) members.delete(userId);
    for (const note of this.notes) {
      for (const users of [note.recipients, this.optional.get(note), this.readBy.get(note)]) users?.delete(userId);
    }
  }
}

export const hasEnded = ({ expiresAt }: { expiresAt?: number | undefined }): boolean => expiresAt === ended;
