// Starts one function in this process. Arguments: [bundle] [event] [further]. Writes the CPU time in microseconds, after
// the import, after the first reply and after as many further calls, to descriptor 3. It is JavaScript, so that
// stripping types is not measured.
const [bundle, event, further = "0"] = process.argv.slice(2);
const { handler } = bundle ? await import(bundle) : {};
const imported = process.cpuUsage();
const call = () => handler(JSON.parse(event), { getRemainingTimeInMillis: () => 15_000 });
const reply = event && (await call());
const replied = process.cpuUsage();
if (event && reply.statusCode !== 200) throw new Error(JSON.stringify(reply));
for (let count = 0; count < Number(further); count++) await call();
const ended = process.cpuUsage();
const total = ({ user, system }) => user + system;
const samples = { import: total(imported), cold: total(replied), end: total(ended) };
process.getBuiltinModule("fs").writeSync(3, JSON.stringify(samples));
// Not measured. Lambda never ends a process in this way, so a function's own cache would have to come with its bundle.
if (process.env.NODE_COMPILE_CACHE) process.getBuiltinModule("module").flushCompileCache();
process.exit(0);
