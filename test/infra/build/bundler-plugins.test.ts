import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { root } from "../../support/sources.ts";

const table = "node_modules/@aws-sdk/core/dist-es/submodules/client/util-endpoints/lib/aws/partitions.js";

interface Partition {
  id: string;
  regionRegex: string;
  regions: Record<string, object>;
}

test("every region that the bundles do not list has the pattern of its own partition", async () => {
  const { partitionsInfo } = await import(/* @vite-ignore */ pathToFileURL(`${root}/${table}`).href);
  const partitions = partitionsInfo.partitions as Partition[];
  const regions = partitions.flatMap(({ id, regions }) => Object.entries(regions).map((each) => ({ id, each })));
  const unlisted = regions.filter(({ each: [name] }) => /-\d+$/.test(name));
  expect(unlisted.length).toBeGreaterThan(30);
  for (const { id, each } of unlisted) {
    const [name, values] = each;
    expect(partitions.find(({ regionRegex }) => new RegExp(regionRegex).test(name))?.id).toBe(id);
    // The partition's own values are the only others.
    expect(Object.keys(values)).toEqual(["description"]);
  }
});
