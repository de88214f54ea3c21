// Converts JSON and XML to Yjs types, and back. A type is filled only after it was put into its parent.
import * as Y from "yjs";
import type { XmlElement, XmlNode } from "./xml.ts";

/** Objects become Y.Map and lists Y.Array, so that clients can edit each nested value separately. */
export function fillMap(map: Y.Map<unknown>, object: object, count: () => void): void {
  for (const [key, value] of Object.entries(object)) {
    count();
    const entry = emptyFor(value);
    map.set(key, entry);
    fill(entry, value, count);
  }
}

export function fillArray(array: Y.Array<unknown>, values: readonly unknown[], count: () => void): void {
  const entries = values.map((value) => {
    if (typeof value === "object") count();
    return emptyFor(value);
  });
  array.insert(0, entries);
  for (const [index, entry] of entries.entries()) fill(entry, values[index], count);
}

function emptyFor(value: unknown): unknown {
  if (Array.isArray(value)) return new Y.Array();
  return typeof value === "object" && value !== null ? new Y.Map() : value;
}

function fill(entry: unknown, value: unknown, count: () => void): void {
  if (entry instanceof Y.Array) fillArray(entry, value as unknown[], count);
  else if (entry instanceof Y.Map) fillMap(entry, value as object, count);
}

/** Like `toJSON`, but keeps a key `__proto__`. */
export function jsonOf(value: unknown): unknown {
  if (value instanceof Y.Array) return value.toArray().map(jsonOf);
  if (value instanceof Y.Map)
    return Object.fromEntries(Array.from(value.entries(), ([key, each]) => [key, jsonOf(each)]));
  return value;
}

export function fillXml(parent: Y.XmlFragment, nodes: readonly XmlNode[]): void {
  const children = nodes.map((node) => (typeof node === "string" ? new Y.XmlText(node) : elementOf(node)));
  parent.insert(0, children);
  for (const [index, child] of children.entries()) {
    if (child instanceof Y.XmlElement) fillXml(child, (nodes[index] as XmlElement).children);
  }
}

function elementOf({ name, attributes }: XmlElement): Y.XmlElement {
  const element = new Y.XmlElement(name);
  for (const [key, value] of attributes) element.setAttribute(key, value);
  return element;
}

export function xmlOf(parent: Y.XmlFragment): XmlNode[] {
  return parent.toArray().map((child) => {
    if (!(child instanceof Y.XmlElement)) return child.toString();
    // `getAttributes` would drop an attribute `__proto__`.
    const attributes = Array.from(child._map.keys(), (name): [string, string] => [
      name,
      String(child.getAttribute(name)),
    ]);
    return { name: child.nodeName, attributes, children: xmlOf(child) };
  });
}
