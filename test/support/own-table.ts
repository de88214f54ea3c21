// Runs before each test file of the engines and gives it a table of its own: scans stay cheap, and no list has workspaces
// of others.
import { separateContainers } from "./exact/containers.ts";
import { newTable } from "./new-table.ts";

separateContainers();
await newTable();
