// What the API replies, as far as the page shows it.
import type { Location } from "./pages/location.ts";

export interface PersonShown {
  userId: string;
  name?: string | undefined;
  email?: string | undefined;
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
  createdAt: string;
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

export interface Comment {
  commentId: string;
  from: PersonShown;
  createdAt?: string;
  updatedAt?: string;
  text?: string;
  taggedUsers?: PersonShown[];
}

export interface Annotation {
  annotationId: string;
  from: PersonShown;
  createdAt?: string;
  status?: string;
  priority?: string;
  assignedTo?: PersonShown;
  metadata?: Record<string, unknown>;
  comments?: Comment[];
  location: Location;
}

export interface Present extends PersonShown {
  updatedAt: string;
  expiresAt: number;
  metadata?: unknown;
}

export interface User extends PersonShown {
  isAdmin: boolean;
  accessRole?: "viewer" | "editor";
  expiresAt?: number;
  properties?: Record<string, unknown>;
}

export interface Group {
  organizationUserGroupId: string;
  organizationUserGroupName?: string;
}

/** Which document of which organization. */
export interface DocumentPlace {
  organizationId: string;
  documentId: string;
}
