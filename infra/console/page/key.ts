// The key of this origin. A cookie goes to every server of this machine; the browser shows the key to this port only.
const name = "console-key";
let kept: string | undefined;

/** Keeps the key that the printed address has brought, and takes it out of the address bar. */
export function keepKey(): void {
  const [, key] = /^#console-key=([\w-]+)$/.exec(location.hash) ?? [];
  if (key === undefined) return;
  history.replaceState(null, "", location.pathname + location.search);
  kept = key;
  try {
    localStorage.setItem(name, key);
  } catch {
    // A browser can deny storage. The key then ends with this page.
  }
}

export function keyHeader(): Record<string, string> {
  const key = stored() ?? kept;
  return key ? { "x-console-key": key } : {};
}

function stored(): string | undefined {
  try {
    return localStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}
