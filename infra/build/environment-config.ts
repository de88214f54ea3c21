// Replaces the SDK's `loadConfig` in bundles. Each setting is read from the environment, or has its default. The SDK
// itself makes two errors for a setting that the environment lacks, and there are about fifteen for each client.

interface Setting<T> {
  environmentVariableSelector(environment: NodeJS.ProcessEnv, options: object): T | undefined;
  default: T | (() => T | Promise<T>);
}

/** As with the SDK, a setting has its default also if its variable is not valid. */
function ofEnvironment<T>({ environmentVariableSelector }: Setting<T>, options: object): T | undefined {
  try {
    return environmentVariableSelector(process.env, options);
  } catch {
    return undefined;
  }
}

export function loadConfig<T>(setting: Setting<T>, options = {}): () => Promise<T> {
  const load = async () => {
    const found = ofEnvironment(setting, options);
    if (found !== undefined) return found;
    return typeof setting.default === "function" ? (setting.default as () => T | Promise<T>)() : setting.default;
  };
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}
