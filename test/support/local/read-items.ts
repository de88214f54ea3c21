// A function for the bundler's test: reads a batch, as most endpoints do, and imports builtins in every form.
import * as os from "node:os";
import path, { join } from "node:path";
import * as z from "zod/mini";
import { getMany } from "../../../lib/dynamodb/table.ts";

const Names = z.object({ names: z.array(z.string()) });

export const handler = async (event: unknown) => {
  const { names } = z.parse(Names, event);
  const builtins = [typeof os.cpus, typeof path.join, join("a", "b")];
  return { builtins, items: await getMany(names.map((sk) => ({ pk: "p", sk }))) };
};
