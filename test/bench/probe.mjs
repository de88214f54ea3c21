// Starts one function in this process. Arguments: [bundle] [event]. Writes the CPU time in microseconds, after the
// import and after the first reply, to descriptor 3. It is JavaScript, so that stripping types is not measured.
const [bundle, event] = process.argv.slice(2);
const { handler } = bundle ? await import(bundle) : {};
const imported = process.cpuUsage();
const reply = event && (await handler(JSON.parse(event), { getRemainingTimeInMillis: () => 15_000 }));
const replied = process.cpuUsage();
if (event && reply.statusCode !== 200) throw new Error(JSON.stringify(reply));
const total = ({ user, system }) => user + system;
process.getBuiltinModule("fs").writeSync(3, JSON.stringify({ import: total(imported), cold: total(replied) }));
process.exit(0);
