// What fields mean, for fields whose schema does not say it. The words stand here and not in the schemas, because
// schemas are part of the functions' bundles: there, they would cost time at every cold start.
//
// A key is the name of a field, or the end of its path: `users` is every field of this name, and `users-add.users` that
// of one request. A path begins with a named schema, or with an operation (`users-add`, `users-add reply`) without `data`
// and `result`. The longest key wins. What a schema says itself wins over all.
import { ai } from "./ai.ts";
import { collaboration } from "./collaboration.ts";
import { common } from "./common.ts";
import { content } from "./content.ts";
import { delivery } from "./delivery.ts";
import { people } from "./people.ts";

export const words: Readonly<Record<string, string>> = {
  ...common,
  ...content,
  ...people,
  ...collaboration,
  ...delivery,
  ...ai,
};
