// Wire shapes of an editor's content.
import * as z from "zod/mini";
import { whenValid } from "./when-valid.ts";

export const EditorType = z
  .enum(["text", "map", "array", "xml"], 'Must be "text", "map", "array" or "xml".')
  .check(z.describe("The Yjs type that the content becomes: Y.Text, Y.Map, Y.Array or Y.XmlFragment."));
export type EditorType = z.output<typeof EditorType>;

/** A record schema would copy the content. It can have megabytes. */
const AnyObject = z.unknown().check(
  z.refine((value) => typeof value === "object" && value !== null && !Array.isArray(value), { abort: true }),
  z.meta({ type: "object" }),
);

export const EditorContent = z
  .union([z.string(), z.array(z.unknown()), AnyObject], "Must be a string, an object or a list.")
  .check(
    z.describe(
      "A string for text and xml, an object for map, a list for array. Nested objects and lists become Y.Map and " +
        "Y.Array. XML may have several root elements and text beside them, but no DOCTYPE; its comments and " +
        "processing instructions are dropped. Names are those of the editor's schema, such as paragraph. Marks, such as " +
        "bold, become formatting, and whole numbers and booleans in attributes become values. A mark of your own has the " +
        "prefix mark., and an attribute whose value is JSON the prefix json.",
    ),
  );
export type EditorContent = z.output<typeof EditorContent>;

const kinds = { text: "string", xml: "string", map: "object", array: "array" };

export const fitsType = z.refine<{ type?: unknown; data?: unknown }>(
  ({ type, data }) => (Array.isArray(data) ? "array" : typeof data) === kinds[type as EditorType],
  {
    error: "Must be a string for text and xml, an object for map, a list for array.",
    path: ["data"],
    abort: true,
    when: whenValid("type", "data"),
  },
);
