// Before each test file: a table of its own on the engine that all share, so that what others store neither costs its
// scans anything nor is found by what goes over all workspaces.
import { randomUUID } from "node:crypto";
import { createTable } from "../../infra/local/table.ts";

process.env.TABLE_NAME = `test-${randomUUID()}`;
await createTable(process.env.AWS_ENDPOINT_URL_DYNAMODB as string, process.env.TABLE_NAME);
