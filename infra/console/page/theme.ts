// The theme follows the system until the reader chooses one.
import { store } from "./store.ts";

export type Theme = "system" | "light" | "dark";

const key = "console-theme";
export const themes: readonly Theme[] = ["system", "light", "dark"];

function saved(): Theme {
  try {
    const value = localStorage.getItem(key);
    return themes.find((theme) => theme === value) ?? "system";
  } catch {
    // A browser can deny storage. The system's theme is then used.
    return "system";
  }
}

export const theme = store<Theme>(saved());

function apply(): void {
  document.documentElement.dataset.theme = theme.get();
}

export function followTheme(): void {
  apply();
  theme.subscribe(apply);
}

export function nextTheme(): void {
  const next = themes[(themes.indexOf(theme.get()) + 1) % themes.length] ?? "system";
  theme.set(next);
  try {
    localStorage.setItem(key, next);
  } catch {
    // The choice then ends with this page.
  }
}
