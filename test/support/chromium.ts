// Where Chromium is on this machine, and how it starts.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The path of the browser: CHROMIUM, or the first that is installed. */
function executable(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const paths = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  return process.env.CHROMIUM ?? paths.find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export const executablePath = executable();

/** As root, Chromium starts without its sandbox only. */
export const browserArguments = [
  ...["--no-sandbox", "--disable-gpu", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];
