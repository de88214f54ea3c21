// Runs before each test file and gives it a table of its own: scans stay cheap, and no list has workspaces of others.
import { newTable } from "./new-table.ts";

await newTable();
