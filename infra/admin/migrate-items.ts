import { type Command, InvalidArgumentError } from "commander";
import type { Counts, Deployed } from "../../lib/format/options.ts";
import { addAction, type Io, type Output, type TargetOptions, UserError } from "./command.ts";
import { withTarget } from "./target.ts";

interface Options extends TargetOptions {
  dryRun?: true;
  callsStopped?: true;
  table?: string;
  unitsPerSecond: number;
}

const notes = `
Run this command of the deployed release, or of the next one. It does the next step of a migration. If the deployed
release reads the new format, the command permits items of that format. If the deployed release writes it, the command
migrates all items. You can stop the command and run it again at any time.
`;

/** Leaves capacity for the calls: a new on-demand table has 4,000 write units in a second. */
const defaultUnitsPerSecond = 500;

export function addMigrateItems(program: Command, io: Io): void {
  const command = program
    .command("migrate-items")
    .description("migrate all stored items to the format of this version, while calls go on")
    .option("--dry-run", "only count the items that would change")
    .option("--calls-stopped", "with --stack: no function of the stack runs, so one release may do all steps")
    .option("--table <name>", "with --stack: a table that the stack does not use, such as a restored one")
    .option("--units-per-second <number>", "capacity units of the table to use", whole, defaultUnitsPerSecond)
    .addHelpText("after", notes);
  addAction(command, io, async (options: Options) => {
    const { stack, callsStopped, table } = options;
    const needless = callsStopped ? "--calls-stopped" : table === undefined ? undefined : "--table";
    if (needless && stack === undefined) throw new UserError(`${needless} has no effect without --stack.`);
    return withTarget(options, ({ deployed }) => migrate(options, io, deployed), { anyFormat: true });
  });
}

async function migrate(options: Options, io: Io, deployed: Deployed | undefined): Promise<Output> {
  const { stack, data, dryRun } = options;
  if (stack !== undefined) return migrateOfStack({ ...options, stack }, io, deployed);
  const { lockServer } = await import("../local/lock.ts");
  const unlock = lockServer(data);
  if (!unlock && !dryRun) throw new UserError(`A server runs on ${data}. It migrates the items when it starts again.`);
  try {
    return await run(options, io, undefined);
  } finally {
    unlock?.();
  }
}

async function migrateOfStack(
  options: Options & { stack: string },
  io: Io,
  deployed: Deployed | undefined,
): Promise<Output> {
  const { stack, table, callsStopped, dryRun } = options;
  if (table !== undefined && table !== process.env.TABLE_NAME) {
    process.env.TABLE_NAME = table;
    return run(options, io, undefined);
  }
  // Functions of the former release run until a deployment has ended.
  if (callsStopped && !(await deployed?.isCurrent())) {
    throw new UserError("A deployment of the stack runs or has failed. Run this when it has ended.");
  }
  if (callsStopped && !dryRun) {
    const { requireStopped } = await import("./stopped.ts");
    await requireStopped(stack);
  }
  return run(options, io, callsStopped ? undefined : deployed);
}

async function run(
  { dryRun, unitsPerSecond }: Options,
  { printError }: Io,
  deployed: Deployed | undefined,
): Promise<Output> {
  const { inFlightSeconds } = await import("../../lib/call.ts");
  const { FormatError, formats } = await import("../../lib/format/formats.ts");
  const { migrateItems } = await import("../../lib/format/migrate-items.ts");
  const { TakenOver } = await import("../../lib/format/options.ts");
  const { itemMigrations } = await import("../../lib/format/registry.ts");
  const onPage = everySeconds(10, (pass: number, { examined, migrated }: Counts) =>
    printError(`pass ${pass + 1}: examined ${examined}, migrated ${migrated}\n`),
  );
  const graceMs = inFlightSeconds * 1_000;
  const options = { code: formats, migrations: itemMigrations, deployed, isDryRun: dryRun, unitsPerSecond };
  const result = await migrateItems({ ...options, graceMs, onPage }).catch((thrown: unknown) => {
    if (!(thrown instanceof FormatError || thrown instanceof TakenOver)) throw thrown;
    throw new UserError(thrown.message, { cause: thrown });
  });
  const { from, to, examined, migrated } = result;
  const texts = {
    current: `All items have format ${to}.`,
    counted: `From format ${from} to ${to}: ${migrated} of ${examined} items would change.`,
    open: `The table may have items of format ${to} now. Deploy the release that writes it, then run this again.`,
    complete: `All items have format ${to}. Examined ${examined}, migrated ${migrated}.`,
  };
  return { json: result, text: texts[result.state] };
}

function everySeconds<Args extends unknown[]>(seconds: number, work: (...args: Args) => void): (...args: Args) => void {
  let nextAt = Date.now() + seconds * 1_000;
  return (...args) => {
    if (Date.now() < nextAt) return;
    nextAt = Date.now() + seconds * 1_000;
    work(...args);
  };
}

function whole(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 1 to 9,999,999.");
  return Number(text);
}
