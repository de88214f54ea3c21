// How all pictures look. The browser chooses the light or the dark colours, also where the SVG is an image.

/** Colours of Okabe and Ito, which colour-blind readers can tell apart, as light or dark as text needs. */
export const colours = {
  light: { ink: "#1f2328", muted: "#59636e", a: "#0072b2", b: "#b84a00", c: "#00785a", d: "#a34d80", e: "#6e5a00" },
  dark: { ink: "#f0f6fc", muted: "#9198a1", a: "#56b4e9", b: "#f0803c", c: "#2fc49a", d: "#e08fbc", e: "#e6c229" },
};

export type Colour = keyof typeof colours.light;

/** The colours of lines and bars, in the order in which a picture uses them. */
export const series: readonly Colour[] = ["a", "b", "c", "d", "e"];

/** A colour as an attribute of a mark. */
export const of = (name: Colour) => `var(--${name})`;

const variables = (some: object) =>
  Object.entries(some)
    .map(([name, value]) => `--${name}:${value}`)
    .join(";");

/** Sizes are those of a picture that is 600 wide. */
export const style = [
  `svg{${variables(colours.light)};color:var(--ink)}`,
  `@media(prefers-color-scheme:dark){svg{${variables(colours.dark)}}}`,
  "text{font:14px system-ui,sans-serif}",
  ".title{font-size:18px;font-weight:600}",
  ".fact{fill:var(--muted)}",
].join("");
