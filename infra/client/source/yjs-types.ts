// What a CollaborationProvider is made with, and its events.
import type { Awareness } from "y-protocols/awareness";
import type * as Y from "yjs";

// biome-ignore lint/suspicious/noExplicitAny: the types of the functions are generated
type Call = (data: any, options?: any) => Promise<any>;

export interface CollaborationOptions {
  /** From `createBrowserClient`. */
  client: { document(place: { organizationId: string; documentId: string }): unknown; crdtGet: Call; crdtUpdate: Call };
  organizationId: string;
  documentId: string;
  editorId: string;
  doc: Y.Doc;
  /** Cursors and selections. Default: a new one. null: none. */
  awareness?: Awareness | null;
  /** Adds a missing editor with this type at the first change. Without it, add the editor with crdt/add. */
  type?: "text" | "xml" | "map" | "array";
  contentKey?: string;
  /** Of content that the document has already, from an earlier `provider.generation`. */
  generation?: string;
  /** Default: true. */
  connect?: boolean;
}

export type CollaborationStatus = "connecting" | "connected" | "disconnected";

/** Each with its arguments. */
export type CollaborationEvents = {
  status: (event: { status: CollaborationStatus }) => void;
  /** Whether the document has all that is stored. */
  sync: (isSynced: boolean) => void;
  synced: (event: { state: true }) => void;
  connect: () => void;
  disconnect: (event: { error: unknown }) => void;
  "connection-close": (error: unknown, provider: object) => void;
  "connection-error": (error: unknown, provider: object) => void;
  authenticated: (event: { scope: "read-write" | "readonly" }) => void;
  authenticationFailed: (event: { reason: string }) => void;
  /** How many changes are not stored yet. */
  unsyncedChanges: (event: { number: number }) => void;
  /** The content was deleted, or deleted and added again. The provider has ended: begin with a new Y.Doc. */
  replaced: (event: { isDeleted: boolean }) => void;
  /** Changes cannot be stored. The provider sends no more of them. */
  refused: (event: { error: Error }) => void;
  destroy: () => void;
};

export const noSubdocs = "Sub-documents are not stored. Give each an editorId and a CollaborationProvider of its own.";
