// Records of the memory, as the API has them.
import { address } from "../places.ts";
import type { PersonShown } from "../types.ts";

export const memoryPath = "/console/memory";
export const recordAddress = (recordId: string): string => address(memoryPath, { record: recordId });

export interface Judgment {
  recordId: string;
  decision: string;
  reasoning: string;
  actionUser: PersonShown;
  organizationId?: string;
  documentId?: string;
  annotationId?: string;
  createdAt: string;
}

export interface Passage {
  recordId: string;
  fileName?: string;
  text: string;
  createdAt: string;
}

export interface KnowledgeSource {
  sourceId: string;
  fileName?: string;
  mimeType: string;
  createdAt: string;
  chunkCount: number;
}

/** For a reply that is partial. */
export const partialNote =
  "The memory is too large for one call, so not all of it was searched. The next call searches more.";
