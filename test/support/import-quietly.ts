// Imports the files named on standard input, one by one, and tells what they did by it: run in a process of its own.
import { readFileSync } from "node:fs";
import net from "node:net";
import { pathToFileURL } from "node:url";

const deeds: string[] = [];
let importing = "";

/** Libraries may look around when they load; the project's own modules may not. */
function note(deed: string): void {
  const caller = new Error().stack?.split("\n")[3] ?? "";
  if (/\/(?:lib|functions)\/(?!.*node_modules)/.test(caller) && !caller.includes("node_modules")) {
    deeds.push(`${importing}: ${deed}`);
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
  if (left.length > idle) deeds.push(`${importing}: leaves ${left}`);
}
console.log(JSON.stringify(deeds));
// What was left running must not keep the answer waiting.
process.exit();
