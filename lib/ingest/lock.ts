// The rights that the reader's process gives up before it loads a parser. Node's permission model denies neither the
// network nor signals, so the process replaces its own functions for them. This stops script that a file makes a parser
// run, but no exploit of the engine (DECISIONS.md#file-types).

// biome-ignore lint/suspicious/noExplicitAny: Node's internals have no types
type Internals = any;

/** Runs in the reader's process. Its text is sent there, so it refers to nothing outside itself. */
function lock(): void {
  const deny = () => {
    throw Object.assign(new Error("A reader has no network and sends no signals."), { code: "ERR_ACCESS_DENIED" });
  };
  const builtin = process.getBuiltinModule as (name: string) => Internals;
  const denyIn = (target: object, names: readonly PropertyKey[]) => {
    for (const name of names) {
      if (name in target) Object.defineProperty(target, name, { value: deny, writable: false, configurable: false });
    }
  };
  const prototypeOf = (handle: object) => Object.getPrototypeOf(handle) as object;
  const [net, dgram, dns] = ["node:net", "node:dgram", "node:dns"].map(builtin);

  // All sockets are made by these classes. Standard input and output are opened first.
  const opening = ["open", "bind", "bind6", "listen", "connect", "connect6", "send", "send6", "disconnect"];
  for (const stream of [process.stdin, process.stdout] as Internals[]) {
    if (stream._handle) denyIn(prototypeOf(stream._handle), opening);
  }
  const tcp = net._createServerHandle("127.0.0.1", 0, 4);
  tcp.close();
  denyIn(prototypeOf(tcp), opening);
  const socket = dgram.createSocket("udp4");
  const state = Object.getOwnPropertySymbols(socket).find(({ description }) => description === "state symbol");
  const udp = state && socket[state].handle;
  socket.close();
  denyIn(prototypeOf(udp), opening);
  // Names can carry data out too.
  const resolver = prototypeOf(new dns.Resolver()._handle);
  denyIn(
    resolver,
    Object.getOwnPropertyNames(resolver).filter((name) => name !== "constructor"),
  );
  denyIn(dns, ["lookup", "lookupService"]);
  denyIn(dns.promises, ["lookup", "lookupService"]);
  denyIn(process, ["kill", "_kill", "_debugProcess", "_debugEnd", "execve", "dlopen"]);
  denyIn(builtin("node:os"), ["setPriority"]);
  denyIn(globalThis, ["fetch", "WebSocket", "EventSource"]);
  builtin("node:module").syncBuiltinESMExports();
}

/** The code that the reader's process starts with: argument 1 is the address of the script with the parsers. */
export const readerCode = `(${lock})();import(process.argv[1]).then(({ main }) => main())`;
