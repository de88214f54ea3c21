// Before each test file: a table of its own, so that what others store neither costs its scans anything nor is found by
// what goes over all workspaces.
import { newTable } from "./new-table.ts";

await newTable();
