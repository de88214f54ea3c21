// AWS's own runtime client for Node, the npm package `aws-lambda-ric`: the loop in which Lambda runs a handler. Its
// JavaScript is one file. It is no dependency of the project, because its installation compiles curl and a C++ client.
// `native-client.mjs` replaces the compiled part.
import { execFile } from "node:child_process";
import { hash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const version = "4.0.2";
const sha512 = "FE5Vskx7mYNnqAnWWJXUOsLp2VGgdsJsCoRLFTa8L4Yk0QVtArqR8q58yPA++QC1a73ZWJXBQ2AH31nIAv7NOQ==";

const cache = fileURLToPath(new URL("../../../node_modules/.cache/", import.meta.url));
const run = promisify(execFile);

/** The path of the client's file. The first call on a machine downloads the package from the npm registry. */
export async function runtimeClient(): Promise<string> {
  const file = join(cache, `aws-lambda-ric-${version}`, "index.mjs");
  if (!existsSync(file)) await download(file);
  return file;
}

async function download(file: string): Promise<void> {
  mkdirSync(join(file, ".."), { recursive: true });
  const folder = mkdtempSync(join(cache, "download-"));
  try {
    // `npm pack` downloads a package without its dependencies and runs none of its scripts.
    await run("npm", ["pack", `aws-lambda-ric@${version}`, "--pack-destination", folder]);
    const archive = join(folder, `aws-lambda-ric-${version}.tgz`);
    if (hash("sha512", readFileSync(archive), "base64") !== sha512) throw new Error("Its content is not as expected.");
    await run("tar", ["-xzf", archive, "-C", folder, "package/index.mjs"]);
    renameSync(join(folder, "package/index.mjs"), file);
  } catch (cause) {
    throw new Error(`npm could not download aws-lambda-ric ${version}, which the rehearsal needs.`, { cause });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
