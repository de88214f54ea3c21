import { expect, it } from "vitest";
import { remove, survivors, type Taken } from "./removals.ts";

it("takes all permissions, then those that are left, and each alone that is still not missed", async () => {
  const runs: string[][] = [];
  const isMissedIn = (taken: string[], name: string) => {
    if (name === "later") return !taken.includes("first");
    if (name === "alone") return taken.length === 1;
    return name !== "never";
  };
  const used: Taken[] = ["first", "later", "alone", "never"].map((permission) => ({ name: "purge", permission }));
  const removals = await remove(used, async (taken) => {
    const names = taken.map(({ permission }) => permission);
    runs.push(names);
    return taken.filter(({ permission }) => !isMissedIn(names, permission));
  });
  expect(runs).toEqual([
    ["first", "later", "alone", "never"],
    ["later", "alone", "never"],
    ["alone", "never"],
    ["alone"],
    ["never"],
  ]);
  expect(removals.map(({ isDenied }) => isDenied)).toEqual([true, true, true, false]);
  expect(survivors(removals)).toEqual(["purge without never"]);
});
