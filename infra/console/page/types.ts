// What the API replies, as far as several pages show it.

/** The colour of a state. */
export type Tone = "good" | "bad" | "warn" | "busy" | "plain";

export interface PersonShown {
  userId: string;
  name?: string | undefined;
  email?: string | undefined;
}

export interface User extends PersonShown {
  isAdmin: boolean;
  accessRole?: "viewer" | "editor";
  expiresAt?: number;
}

export interface Organization {
  organizationId: string;
  organizationName?: string;
  createdAt: string;
}

export interface Folder {
  folderId: string;
  folderName?: string;
  accessType?: string;
  deletionJobId?: string;
}

export interface ShownDocument {
  documentId: string;
  documentName?: string;
  accessType?: string;
  metadata?: Record<string, unknown>;
  folderId?: string;
  createdAt: string;
}

/** Which document of which organization. */
export interface DocumentPlace {
  organizationId: string;
  documentId: string;
}
