// Imports the files that standard input lists, in turn, and prints the side effects of each import. Runs as a process.
import { readFileSync } from "node:fs";
import net from "node:net";
import { pathToFileURL } from "node:url";

const effects: string[] = [];
let importing = "";

/** Records an effect of the project's own modules. Libraries may read the environment when they load. */
function note(effect: string): void {
  const caller = new Error().stack?.split("\n")[3] ?? "";
  if (/\/(?:lib|functions)\/(?!.*node_modules)/.test(caller) && !caller.includes("node_modules")) {
    effects.push(`${importing}: ${effect}`);
  }
}

const files: string[] = JSON.parse(readFileSync(0, "utf8"));
process.env = new Proxy(process.env, {
  get(environment, name) {
    note(`reads ${String(name)}`);
    return Reflect.get(environment, name);
  },
});
net.Socket.prototype.connect = () => {
  throw new Error(`${importing} connects.`);
};
const idle = process.getActiveResourcesInfo().length;
for (importing of files) {
  await import(pathToFileURL(importing).href);
  const left = process.getActiveResourcesInfo().filter((name) => !/^(?:FSReq|CloseReq|Pipe|TTY)/.test(name));
  if (left.length > idle) effects.push(`${importing}: leaves ${left}`);
}
console.log(JSON.stringify(effects));
// Timers or sockets that a module left open must not keep this process running.
process.exit();
