// Before each test file: a table of its own. So scans stay cheap, and lists of all workspaces show no others.
import { newTable } from "./new-table.ts";

await newTable();
