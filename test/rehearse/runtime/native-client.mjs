// Loaded before AWS's runtime client: replaces its compiled HTTP client, and sets the process's clock to the time of
// each invocation, so that jobs that are due later run without a wait.
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== "./rapid-client.node") return next(specifier, context);
    return { url: new URL("rapid-client.cjs", import.meta.url).href, format: "commonjs", shortCircuit: true };
  },
});

const SystemDate = Date;
globalThis.Date = class extends SystemDate {
  constructor(...given) {
    if (given.length === 0) super(SystemDate.now() + (globalThis.clockOffsetMs ?? 0));
    else super(...given);
  }
  static now() {
    return SystemDate.now() + (globalThis.clockOffsetMs ?? 0);
  }
};
