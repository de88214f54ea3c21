// Prints the result as tables, with the targets in their titles.
import { bundleBytesMax } from "../support/bundles.ts";
import type { Size } from "./bundles.ts";
import { printTable } from "./table.ts";
import type { UserCalls } from "./users.ts";
import type { Warm } from "./warm.ts";

export interface Result {
  sizes: Size[];
  starts: {
    name: string;
    bytes: number | undefined;
    importMs?: number;
    coldMs?: number;
    instructions?: number | undefined;
  }[];
  warm: Warm[];
  permissions: { calls: number; waves: number };
  users: UserCalls;
}

export function report({ sizes, starts, warm, permissions, users }: Result): void {
  const base = (name: string) => starts.find((each) => each.name === name);
  const ratio = (value: number | undefined, to: number | undefined) => (value && to ? (value / to).toFixed(2) : "");
  printTable(
    "Start, by CPU time (import: target ≤ 3.2 × node; cold: target ≤ 3.8 × empty, ≤ 0.55 × plain)",
    starts.map(({ name, bytes, importMs, coldMs, instructions }) => ({
      name,
      KB: bytes && Math.round(bytes / 1_000),
      "import ms": importMs,
      "× node": ratio(importMs, base("node")?.importMs),
      "cold ms": bytes && coldMs,
      "× empty": bytes && ratio(coldMs, base("empty")?.coldMs),
      "÷ plain": bytes && ratio(coldMs, base("plain")?.coldMs),
      "M instructions": instructions,
      "× empty's": bytes && ratio(instructions, base("empty")?.instructions),
    })),
  );
  printTable(
    "Warm users-get, store stubbed, by CPU time (target ≤ 2 × by hand)",
    warm.map(({ calls, oursMicros, byHandMicros }) => ({
      "until call": calls,
      "by hand µs": byHandMicros.toFixed(1),
      "ours µs": oursMicros.toFixed(1),
      "×": ratio(oursMicros, byHandMicros),
    })),
  );
  printTable("get-permissions, 1 user × 1,000 documents in 50 folders (target ≤ 26 calls in 3 waves)", [permissions]);
  printTable(
    "Warm calls of a user, beside a server (target ≤ 1.25 × the CPU time, 1 trip more, 9 read units more)",
    users.calls.map(({ name, serverMicros, ratio, trips, readUnits }) => ({
      name,
      "server µs": serverMicros.toFixed(0),
      "×": ratio.toFixed(2),
      trips: trips.join(" → "),
      "read units": readUnits.join(" → "),
    })),
  );
  const { verifyMicros, preflightTrips } = users;
  printTable("The check of a user's token (target ≤ 100 µs), and a preflight (target: no trip)", [
    { "check µs": verifyMicros.toFixed(0), "preflight's trips": preflightTrips },
  ]);
  printTable(
    `Functions (target ≤ ${bundleBytesMax.toLocaleString("en")} bytes without further libraries)`,
    sizes.map((each) => ({ ...each })),
  );
}
