// What DynamoDB refuses and the local engine does not, in DynamoDB's words. The proxy in front of the engine and the
// tests' table in memory use it, with plain values.
import { tableSchema } from "../stack/table-schema.ts";

const { partitionKey, sortKey, dueIndex } = tableSchema;

type Values = Record<string, unknown>;

export interface AskedQuery {
  IndexName?: string | undefined;
  KeyConditionExpression?: string | undefined;
  ExpressionAttributeNames?: Record<string, string> | undefined;
  ExpressionAttributeValues?: Values | undefined;
  ExclusiveStartKey?: Values | undefined;
}

export const emptyName = "Empty attribute name";

/** What is wrong with the value of a key; undefined: nothing. */
export function problemOfKey(name: string, value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  if (value === "") {
    const isOfTable = name === partitionKey || name === sortKey;
    const index = "A value specified for a secondary index key is not supported. ";
    const where = isOfTable ? `Key: ${name}` : `IndexName: ${dueIndex.name}, IndexKey: ${name}`;
    return `One or more parameter values are not valid. ${isOfTable ? "" : index}The AttributeValue for a key attribute cannot contain an empty string value. ${where}`;
  }
  const isPartition = name === partitionKey || name === dueIndex.partitionKey;
  if (Buffer.byteLength(value) <= (isPartition ? 2_048 : 1_024)) return undefined;
  const size = isPartition
    ? "Size of hashkey has exceeded the maximum size limit of2048 bytes"
    : "Aggregated size of all range keys has exceeded the size limit of 1024 bytes";
  return `One or more parameter values were invalid: ${size}`;
}

/** What is wrong with the values of a query's key condition, or with its start. */
export function problemOfQuery(query: AskedQuery): string | undefined {
  const { IndexName, ExclusiveStartKey: start } = query;
  const terms = termsOf(query);
  for (const term of terms) {
    const problem = problemOfTerm(term);
    if (problem) return problem;
  }
  if (!start) return undefined;
  const names = [partitionKey, sortKey, ...(IndexName ? [dueIndex.partitionKey, dueIndex.sortKey] : [])];
  const invalid = "The provided starting key is invalid";
  if (Object.keys(start).sort().join() !== names.sort().join()) return invalid;
  const problem = names.map((name) => problemOfKey(name, start[name])).find((each) => each !== undefined);
  if (problem) return `${invalid}: ${problem}`;
  if (terms.every((term) => holds(term, start[term.name]))) return undefined;
  return terms.length > 1
    ? "The provided starting key does not match the range key predicate"
    : "The provided starting key is outside query boundaries based on provided conditions";
}

interface Term {
  name: string;
  /** A comma: begins_with. */
  operator: string;
  values: unknown[];
}

const terms = /(?<![#\w])([#\w]+) ?(=|<=|>=|<|>|,|BETWEEN) ?(:\w+)(?: AND (:\w+))?/g;

function termsOf({
  KeyConditionExpression = "",
  ExpressionAttributeNames: names = {},
  ExpressionAttributeValues: values = {},
}: AskedQuery): Term[] {
  return [...KeyConditionExpression.matchAll(terms)].map(([, name = "", operator = "", first = "", last]) => ({
    name: names[name] ?? name,
    operator,
    values: [first, ...(last === undefined ? [] : [last])].map((each) => values[each]),
  }));
}

function problemOfTerm({ name, values }: Term): string | undefined {
  const [first, last] = values;
  const problem = problemOfKey(name, first) ?? problemOfKey(name, last);
  if (problem || last === undefined || compare(first, last) <= 0) return problem;
  const [lower, upper] = values.map((each) => `AttributeValue: {${typeof each === "number" ? "N" : "S"}:${each}}`);
  const rule = "The BETWEEN operator requires upper bound to be greater than or equal to lower bound";
  return `Invalid KeyConditionExpression: ${rule}; lower bound operand: ${lower}, upper bound operand: ${upper}`;
}

function holds({ operator, values: [first, last] }: Term, value: unknown): boolean {
  if (operator === ",") return String(value).startsWith(String(first));
  const order = compare(value, first);
  if (operator === "BETWEEN") return order >= 0 && compare(value, last) <= 0;
  if (order === 0) return operator.includes("=");
  return operator.startsWith(order < 0 ? "<" : ">");
}

/** DynamoDB compares the UTF-8 bytes of texts. */
function compare(one: unknown, other: unknown): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
}
