// One start of a function in a process of its own: [bundle] [event]. Writes its CPU time in microseconds, after the import
// and after the first reply, to descriptor 3. It is JavaScript, so that Node's stripping of types is not measured.
const [bundle, event] = process.argv.slice(2);
const { handler } = bundle ? await import(bundle) : {};
const imported = process.cpuUsage();
const answer = event && (await handler(JSON.parse(event), { getRemainingTimeInMillis: () => 15_000 }));
const answered = process.cpuUsage();
if (event && answer.statusCode !== 200) throw new Error(JSON.stringify(answer));
const total = ({ user, system }) => user + system;
process.getBuiltinModule("fs").writeSync(3, JSON.stringify({ import: total(imported), cold: total(answered) }));
process.exit(0);
