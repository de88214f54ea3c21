// A kind of step: a call, and what it does to the model.
import type { Endpoint } from "../../../lib/http/endpoint.ts";
import fc from "../../support/property.ts";
import type { State } from "./state.ts";

export const organizationId = "o";
export const documentIds = ["a", "b", "c"];
export const folderIds = ["f", "g", "h"];
export const userIds = ["u", "v"];
export const groupIds = ["x", "y"];
export const annotationIds = ["m", "n"];
export const editorIds = ["e"];

export const oneOf = fc.constantFrom;
export const documentId = oneOf(...documentIds);
export const folderId = oneOf(...folderIds);
export const userId = oneOf(...userIds);
export const maybe = <T>(any: fc.Arbitrary<T>) => fc.option(any, { nil: undefined });
export const orNull = <T>(any: fc.Arbitrary<T>) => fc.option(any, { nil: null });

export interface Kind {
  weight: number;
  shape: fc.Arbitrary<object>;
  endpoint: Pick<Endpoint, "name">;
  /** The `data` of the call, without the organization. */
  request(step: never): object;
  /** What the model returns; it takes the step. `isLate`: as after a call that has begun earlier. */
  expected(state: State, step: never, isLate: boolean): unknown;
  /** The comparable part of `result.data`. Default: the code or message of the only item. */
  shown?(data: never): unknown;
  /** Beside others, it can end as if it had seen less of them (`isLate`). */
  canBeLate?: true;
}

/** Infers the shape of a kind's steps. */
export function kind<T extends object>(given: {
  weight?: number;
  shape: { [Name in keyof T]: fc.Arbitrary<T[Name]> };
  endpoint: Pick<Endpoint, "name">;
  request(step: T): object;
  expected(state: State, step: T, isLate: boolean): unknown;
  // biome-ignore lint/suspicious/noExplicitAny: replies differ
  shown?(data: any): unknown;
  canBeLate?: true;
}): Kind {
  return { weight: 1, ...given, shape: fc.record(given.shape) } as unknown as Kind;
}
