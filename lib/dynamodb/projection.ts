// Reads of some attributes of an item.

/** It has placeholders, because the name of an attribute may be a reserved word. */
export function projectionOf(attributes: readonly string[]) {
  const names = attributes.map((name, index) => [`#${index}`, name] as const);
  return {
    ProjectionExpression: names.map(([placeholder]) => placeholder).join(", "),
    ExpressionAttributeNames: Object.fromEntries(names),
  };
}
