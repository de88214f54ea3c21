// An entry of the list of entities (`entities.ts`).
import type { Entity } from "../dynamodb/entity.ts";
import type { Descendants, WorkspaceRef } from "./refs.ts";

export interface ListedEntity {
  name: string;
  /** The meaning of an item, for the data dictionary in `lib/store/README.md`. */
  about: string;
  attributes: readonly string[];
  /** The key that the entity builds from these names, for the data dictionary. */
  keyOf(ref: object): { pk: string; sk: string };
  isSharded: boolean;
  descendantsOf(item: object): Descendants;
}

/** An entity of the list, without its type parameters: the purge reads items of all entities. */
export function listed<PartitionRef, SortRef, Attributes extends object>(
  about: string,
  { name, spec }: Entity<PartitionRef, SortRef, Attributes>,
  descendants?: (item: Attributes & WorkspaceRef) => Descendants,
): ListedEntity {
  return {
    name,
    about,
    attributes: spec.attributes,
    keyOf: (ref) => ({
      pk: spec.pk(ref as PartitionRef, shardPlaceholder),
      sk: (spec.prefix ?? "") + spec.sk(ref as SortRef),
    }),
    isSharded: spec.shardBy !== undefined,
    descendantsOf: (item) => descendants?.(item as Attributes & WorkspaceRef) ?? {},
  };
}

/** Replaces the number of the shard in the data dictionary. */
const shardPlaceholder = "{0-15}" as unknown as number;
