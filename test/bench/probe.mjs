// One start of a function in a process of its own: [bundle] [event]. Tells its CPU time, in microseconds, after the
// import and after the first answer, on descriptor 3. JavaScript, so that no part of it is Node's reading of types.
const [bundle, event] = process.argv.slice(2);
const { handler } = bundle ? await import(bundle) : {};
const imported = process.cpuUsage();
const answer = event && (await handler(JSON.parse(event), { getRemainingTimeInMillis: () => 15_000 }));
const answered = process.cpuUsage();
if (event && answer.statusCode !== 200) throw new Error(JSON.stringify(answer));
const total = ({ user, system }) => user + system;
process.getBuiltinModule("fs").writeSync(3, JSON.stringify({ import: total(imported), cold: total(answered) }));
process.exit(0);
