// An entity is one kind of item of the table: it defines the key and the attributes. The files of `lib/store` declare
// the entities. Each item has the name of its entity in the attribute `entity`.
import { allShards, type Item, type Key, shardOf } from "./key.ts";
import type { Condition, Write } from "./write.ts";

interface EntitySpec<PartitionRef, SortRef, Attributes extends object> {
  /** The name in kebab-case: the value of the attribute `entity`. */
  name: string;
  /** Every attribute that an item can have. Other fields are dropped, so a spread object cannot store them. */
  attributes: readonly (keyof Attributes & string)[];
  pk(ref: PartitionRef, shard: number): string;
  /** Begins every sort key of this entity. Needed when other entities share the partition. */
  prefix?: string;
  /** The sort key after the prefix. */
  sk(ref: SortRef): string;
  /** The id that determines the shard. Without `shardBy`, the list has one partition. */
  shardBy?(ref: SortRef): string;
}

/** A list of attributes with all of them. An incomplete list does not compile: the failure names what is missing. */
type Complete<Attributes, Listed extends readonly unknown[]> = [keyof Attributes] extends [Listed[number]]
  ? Listed
  : { missing: Exclude<keyof Attributes, Listed[number]> };

/** Some of the attributes. An attribute that is undefined stays unchanged. */
type Some<Attributes> = { [Name in keyof Attributes]?: Attributes[Name] | undefined };

interface Changes<Attributes> {
  set?: Some<Attributes>;
  /** Only sets attributes that are missing. */
  setIfAbsent?: Some<Attributes>;
  remove?: readonly (keyof Attributes & string)[];
  /** Elements to add to sets, and to remove from them. A set without elements is absent. */
  add?: { [Name in keyof Attributes]?: ReadonlySet<string> };
  drop?: { [Name in keyof Attributes]?: ReadonlySet<string> };
}

type ChangedSets = Record<"add" | "drop", Record<string, ReadonlySet<string>>>;

export interface Entity<PartitionRef, SortRef, Attributes extends object> {
  name: string;
  key(ref: PartitionRef & SortRef): Key;
  partition(ref: PartitionRef, shard?: number): string;
  /** All partitions of the list: one for each shard, or a single one. */
  partitions(ref: PartitionRef): string[];
  /** The items of this entity in one partition. */
  range(ref: PartitionRef, shard?: number): { pk: string; beginsWith?: string };
  /** The type shows whether there is a condition: a batch (`batch-write.ts`) takes no write that has one. */
  put<C extends Condition = never>(
    ref: PartitionRef & SortRef,
    attributes: Attributes,
    condition?: C,
  ): { put: Item; if?: C };
  update(
    ref: PartitionRef & SortRef,
    changes: Changes<Attributes>,
    condition?: Condition,
  ): Extract<Write, { update: Key }>;
  delete(ref: PartitionRef & SortRef, condition?: Condition): Extract<Write, { delete: Key }>;
  /** The attributes of an item as read: without its key and its entity's name. */
  attributesOf(item: object): Attributes;
  spec: EntitySpec<PartitionRef, SortRef, Attributes>;
}

/** Declares an entity: `entity<Attributes>()({...})`. The second call infers the refs' types from `pk` and `sk`. */
export function entity<Attributes extends object>() {
  return <PartitionRef, SortRef, const Listed extends readonly (keyof Attributes & string)[]>(
    spec: EntitySpec<PartitionRef, SortRef, Attributes> & { attributes: Complete<Attributes, Listed> },
  ): Entity<PartitionRef, SortRef, Attributes> => {
    const { name, prefix = "" } = spec;
    const attributes = new Set<string>(spec.attributes);
    const key = (ref: PartitionRef & SortRef): Key => ({
      pk: spec.pk(ref, spec.shardBy ? shardOf(spec.shardBy(ref)) : 0),
      sk: prefix + spec.sk(ref),
    });
    const known = (given: object): Record<string, unknown> =>
      Object.fromEntries(Object.entries(given).filter(([attribute]) => attributes.has(attribute)));
    const partition = (ref: PartitionRef, shard = 0) => spec.pk(ref, shard);
    return {
      name,
      spec,
      key,
      partition,
      partitions: (ref) => (spec.shardBy ? allShards.map((shard) => partition(ref, shard)) : [partition(ref)]),
      range: (ref, shard) => ({ pk: partition(ref, shard), ...(prefix && { beginsWith: prefix }) }),
      put: (ref, given, condition) => withCondition({ put: { ...known(given), ...key(ref), entity: name } }, condition),
      update: (ref, { set = {}, setIfAbsent = {}, remove = [], add, drop }, condition) => {
        const sets = { ...(add && { add: known(add) }), ...(drop && { drop: known(drop) }) } as ChangedSets;
        const changes = { set: { ...known(set), entity: name }, setIfAbsent: known(setIfAbsent), remove, ...sets };
        return withCondition({ update: key(ref), ...changes }, condition);
      },
      delete: (ref, condition) => withCondition({ delete: key(ref) }, condition),
      attributesOf: (item) => known(item) as Attributes,
    };
  };
}

const withCondition = <W extends object, C extends Condition>(write: W, condition: C | undefined): W & { if?: C } =>
  condition ? { ...write, if: condition } : write;
