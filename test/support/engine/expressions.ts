// The part of DynamoDB's expressions that the service uses. Any other expression throws, so that none is ignored.
import { isDeepStrictEqual } from "node:util";

export type Attributes = Record<string, unknown>;

/** The values of an expression's placeholders. */
export interface Placeholders {
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Attributes;
}

/** Whether the item meets the condition: terms that are joined by AND, each of which can be a choice by OR. */
export function meets(item: Attributes, condition: string | undefined, given: Placeholders): boolean {
  return condition === undefined || parsed(condition).every((choice) => choice.some((holds) => holds(item, given)));
}

type Term = (item: Attributes, given: Placeholders) => boolean;

const conditions = new Map<string, Term[][]>();

/** The terms of a condition. A query has the same condition for each item. */
function parsed(condition: string): Term[][] {
  const former = conditions.get(condition);
  if (former) return former;
  const single = condition.replace(/(#?\w+) BETWEEN (:\w+) AND (:\w+)/, "$1 >= $2 AND $1 <= $3");
  const terms = single.split(" AND ").map((term) => {
    const [, choice = term] = /^\((.+)\)$/.exec(term) ?? [];
    return choice.split(" OR ").map(termOf);
  });
  conditions.set(condition, terms);
  return terms;
}

function termOf(term: string): Term {
  const [, verb, argument, prefix] = /^(\w+)\((#?\w+)(?:, (:\w+))?\)$/.exec(term) ?? [];
  if (verb === "attribute_exists") return (item, given) => item[nameOf(argument, given)] !== undefined;
  if (verb === "attribute_not_exists") return (item, given) => item[nameOf(argument, given)] === undefined;
  if (verb === "begins_with") {
    return (item, given) => {
      const value = item[nameOf(argument, given)];
      return typeof value === "string" && value.startsWith(String(placed(prefix, given)));
    };
  }
  const [, name, operator, value] = /^(#?\w+) (=|<|<=|>|>=) (:\w+)$/.exec(term) ?? [];
  if (!operator) throw unknown(term);
  return (item, given) => {
    const order = compare(item[nameOf(name, given)], placed(value, given));
    if (order === undefined) return false;
    if (order === 0) return operator.includes("=");
    return operator.startsWith(order < 0 ? "<" : ">");
  };
}

/** Negative, 0 or positive. Undefined: the values have no order and are not equal. */
export function compare(one: unknown, other: unknown): number | undefined {
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (typeof one === "string" && typeof other === "string") return compareTexts(one, other);
  return one !== undefined && isDeepStrictEqual(one, other) ? 0 : undefined;
}

const withoutSurrogates = /^[\0-\ud7ff]*$/;

/** DynamoDB compares UTF-8 bytes. JavaScript compares UTF-16 units: the order is the same below the surrogates. */
function compareTexts(one: string, other: string): number {
  if (one === other) return 0;
  if (withoutSurrogates.test(one) && withoutSurrogates.test(other)) return one < other ? -1 : 1;
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** The item after the update. As in DynamoDB, all values are read before the first is written. */
export function updated(item: Attributes, update: string, given: Placeholders): Attributes {
  const after = { ...item };
  for (const [clause, verb, terms = ""] of update.matchAll(
    /(SET|REMOVE|ADD|DELETE) (.*?)(?= (?:SET|REMOVE|ADD|DELETE) |$)/g,
  )) {
    for (const term of terms.split(/, (?=#)/)) {
      const [, counter, addend] = /^(#\w+) (:\w+)$/.exec(term) ?? [];
      if (verb === "ADD" && counter) {
        const attribute = nameOf(counter, given);
        const elements = placed(addend, given);
        if (elements instanceof Set) {
          after[attribute] = new Set([...((item[attribute] as Set<string>) ?? []), ...elements]);
          continue;
        }
        after[attribute] = Number(item[attribute] ?? 0) + Number(placed(addend, given));
        continue;
      }
      if (verb === "DELETE" && counter) {
        const attribute = nameOf(counter, given);
        const dropped = placed(addend, given) as Set<string>;
        const left = new Set([...((item[attribute] as Set<string>) ?? [])].filter((each) => !dropped.has(each)));
        if (left.size > 0) after[attribute] = left;
        else delete after[attribute];
        continue;
      }
      const [, name, source, fallback] = /^(#\w+)(?: = (:\w+|if_not_exists\(\1, (:\w+)\)))?$/.exec(term) ?? [];
      const attribute = nameOf(name, given);
      if (verb === "REMOVE" && !source) delete after[attribute];
      else if (verb === "SET" && fallback) after[attribute] = item[attribute] ?? placed(fallback, given);
      else if (verb === "SET" && source) after[attribute] = placed(source, given);
      else throw unknown(clause);
    }
  }
  return after;
}

function nameOf(text: string | undefined, { ExpressionAttributeNames: names = {} }: Placeholders): string {
  const name = text?.startsWith("#") ? names[text] : text;
  if (name === undefined) throw unknown(String(text));
  return name;
}

function placed(text: string | undefined, { ExpressionAttributeValues: values = {} }: Placeholders): unknown {
  if (text === undefined || !(text in values)) throw unknown(String(text));
  return values[text];
}

const unknown = (text: string) => new Error(`The table in memory does not support the expression ${text}.`);
