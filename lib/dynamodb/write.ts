// One write as a value, and its translation to an element of a DynamoDB transaction.
import type { TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import { config } from "../config.ts";
import type { Item, Key } from "./key.ts";

/** In a condition: the attribute has any value. */
export const anyValue = Symbol("any value");

class Bound {
  readonly operator: "<=" | ">";
  readonly value: number;

  constructor(operator: Bound["operator"], value: number) {
    this.operator = operator;
    this.value = value;
  }
}

/** In a condition: the attribute is absent, or a number that is not greater. */
export const atMost = (value: number) => new Bound("<=", value);

/** In a condition: the attribute is absent, or a greater number. */
export const above = (value: number) => new Bound(">", value);

/** The item is `absent` or `present`, or its attributes have these values. Undefined: the attribute is absent. */
export type Condition = "absent" | "present" | Record<string, unknown>;

export type Write =
  | { put: Item; if?: Condition }
  | ({ update: Key; if?: Condition } & Changes)
  | { delete: Key; if?: Condition };

interface Changes {
  set?: Record<string, unknown>;
  /** Only sets attributes that are missing. */
  setIfAbsent?: Record<string, unknown>;
  remove?: readonly string[];
  /** Adds to a number or to a set; a missing one counts as 0, or as empty. */
  add?: Record<string, number | ReadonlySet<string>>;
  /** Removes elements of a set. A set without elements is absent. */
  drop?: Record<string, ReadonlySet<string>>;
}

type TransactItem = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/** The names and values of one expression. It has placeholders for them: an attribute's name may be a reserved word. */
class Expression {
  readonly names: Record<string, string> = {};
  readonly values: Record<string, unknown> = {};

  name(attribute: string): string {
    const placeholder = `#${Object.keys(this.names).length}`;
    this.names[placeholder] = attribute;
    return placeholder;
  }

  value(value: unknown): string {
    const placeholder = `:${Object.keys(this.values).length}`;
    this.values[placeholder] = value;
    return placeholder;
  }

  condition(condition: Condition): string {
    if (condition === "absent") return `attribute_not_exists(${this.name("pk")})`;
    if (condition === "present") return `attribute_exists(${this.name("pk")})`;
    const terms = Object.entries(condition).map(([attribute, value]) => {
      if (value === undefined) return `attribute_not_exists(${this.name(attribute)})`;
      if (value === anyValue) return `attribute_exists(${this.name(attribute)})`;
      const name = this.name(attribute);
      if (value instanceof Bound) {
        return `(attribute_not_exists(${name}) OR ${name} ${value.operator} ${this.value(value.value)})`;
      }
      return `${name} = ${this.value(value)}`;
    });
    return terms.join(" AND ");
  }

  attributes() {
    return {
      ...(Object.keys(this.names).length > 0 && { ExpressionAttributeNames: this.names }),
      ...(Object.keys(this.values).length > 0 && { ExpressionAttributeValues: this.values }),
    };
  }
}

/** Whether the write can be repeated: it has no condition, or is a put of an item that fulfils the condition. */
export function isRepeatable(write: Write): boolean {
  if (!write.if) return true;
  if (!("put" in write) || typeof write.if === "string") return false;
  return Object.entries(write.if).every(([attribute, value]) => {
    const own = write.put[attribute as keyof Item];
    if (value === anyValue) return own !== undefined;
    if (!(value instanceof Bound) || value.operator !== "<=") return false;
    return own === undefined || (typeof own === "number" && own <= value.value);
  });
}

/** The write as an element of TransactWriteItems. */
export function transactItem(write: Write): TransactItem {
  const expression = new Expression();
  const updates = "update" in write ? updateExpression(write, expression) : undefined;
  const rest = {
    TableName: config.tableName(),
    ...(write.if && { ConditionExpression: expression.condition(write.if) }),
    ...expression.attributes(),
  };
  if ("put" in write) return { Put: { ...rest, Item: write.put } };
  if ("delete" in write) return { Delete: { ...rest, Key: write.delete } };
  return { Update: { ...rest, Key: write.update, UpdateExpression: updates } };
}

function updateExpression(
  { set = {}, setIfAbsent = {}, remove = [], add = {}, drop = {} }: Changes,
  expression: Expression,
): string {
  const given = (values: object) => Object.entries(values).filter(([, value]) => value !== undefined);
  const sets = given(set).map(([attribute, value]) => `${expression.name(attribute)} = ${expression.value(value)}`);
  const defaults = given(setIfAbsent).map(([attribute, value]) => {
    const name = expression.name(attribute);
    return `${name} = if_not_exists(${name}, ${expression.value(value)})`;
  });
  const removes = remove.map((attribute) => expression.name(attribute));
  const changing = (values: object) =>
    Object.entries(values).map(([attribute, value]) => `${expression.name(attribute)} ${expression.value(value)}`);
  const adds = changing(add);
  const drops = changing(drop);
  const clause = (word: string, terms: string[]) => (terms.length > 0 ? [`${word} ${terms.join(", ")}`] : []);
  return [
    ...clause("SET", [...sets, ...defaults]),
    ...clause("REMOVE", removes),
    ...clause("ADD", adds),
    ...clause("DELETE", drops),
  ].join(" ");
}
