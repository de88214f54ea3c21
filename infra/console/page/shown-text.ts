// Every text of the page shows the codes of hidden characters: most of the texts come from others. The content of an
// input field stays as it is, so that an edit changes only what the user types.
import { options, type VNode } from "preact";
import { visible } from "../../../lib/visible.ts";

type Props = Record<string, unknown>;

export const shownText = (text: string): string =>
  text
    .split(/([\n\t])/)
    .map((part, at) => (at % 2 > 0 ? part : visible(part)))
    .join("");

const shown = (value: unknown): unknown => {
  if (typeof value === "string") return shownText(value);
  return Array.isArray(value) ? value.map(shown) : value;
};

/** The texts among the children and in the title of an element. */
export function withShownTexts({ type, props }: VNode<Props>): void {
  if (typeof type !== "string" || type === "textarea") return;
  for (const name of ["children", "title", "aria-label"]) if (name in props) props[name] = shown(props[name]);
}

export function showTexts(): void {
  const { vnode: next } = options;
  options.vnode = (vnode) => {
    withShownTexts(vnode as VNode<Props>);
    next?.(vnode);
  };
}
