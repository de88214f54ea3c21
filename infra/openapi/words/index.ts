// What fields mean, for fields whose schema does not say it. The words stand here and not in the schemas, because
// schemas are part of the functions' bundles: there, they would cost time at every cold start.
//
// A key is the name of a field: `users` stands for each field of this name. A longer key is the end of a path:
// `users-add.users` stands for this field of one request. A path begins with a named schema (`User`), a request
// (`users-add`) or a reply (`users-add reply`). It leaves out `data` and `result`. The longest key wins. A description in
// the schema itself wins over each key.
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
