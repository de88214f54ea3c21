// A process that adds workspaces to a data folder, and prints their keys as JSON: node workspaces.ts DIR COUNT.
import { openEngines } from "../../infra/local/engines.ts";
import * as AuthToken from "../../lib/store/access/auth-token.ts";
import * as Workspace from "../../lib/store/workspace.ts";

const [dir = "", count = "1"] = process.argv.slice(2);
const engines = await openEngines(dir);
const made = [];
for (let index = 0; index < Number(count); index++) {
  const { apiKey } = await Workspace.create({ name: "fuzz" });
  const { authToken } = await AuthToken.create({ workspace: apiKey });
  made.push({ apiKey, authToken });
}
await engines.close();
console.log(JSON.stringify(made));
