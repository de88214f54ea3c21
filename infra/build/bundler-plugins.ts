// esbuild plugins that make bundles small and quick to start. A function that uses DynamoDB and validation has 193 KB,
// and needs 57 ms of CPU time until its first reply (measured with SDK 3.1162). If only the credential provider is
// replaced, it has 358 KB and needs 79 ms.
import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import type { Plugin } from "esbuild";

/**
 * Returns code for an object that inherits the module's properties. esbuild copies a module's own properties, which
 * evaluates even those that Node loads on first use, such as WebCrypto in `crypto`. It does not copy inherited
 * properties, which saves 8 % of an import's CPU time. A module that is a function must stay callable, and `process`
 * must stay an event emitter, so both are used directly.
 */
function lazyModule(id: string): string {
  const module = `process.getBuiltinModule(${JSON.stringify(id)})`;
  const isUsedDirectly = id === "process" || typeof process.getBuiltinModule(id) === "function";
  return isUsedDirectly ? module : `Object.create(${module})`;
}

/**
 * Replaces imports of Node's modules by `process.getBuiltinModule`. `import "node:http"` evaluates every export; one of
 * them is WebSocket, which loads undici. The replacement is CommonJS, because esbuild then evaluates it lazily for
 * named, default and namespace imports and for `require`.
 */
export const builtins: Plugin = {
  name: "builtins",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?[\w/]+$/ }, ({ path }) =>
      isBuiltin(path) ? { path: path.replace(/^node:/, ""), namespace: "builtin", sideEffects: false } : undefined,
    );
    onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => {
      // Some modules, such as `node:test` and `node:sqlite`, exist only with the prefix.
      const id = isBuiltin(path) ? path : `node:${path}`;
      return { contents: `module.exports = ${lazyModule(id)}` };
    });
  },
};

/** Yjs warns when a process loads two copies. The local server does, because each bundle contains its own copy. */
const yjs = { filter: /yjs[\\/]dist[\\/]yjs\.mjs$/, duplicateCheck: "glo[importIdentifier] === true" };

export const quietYjs: Plugin = {
  name: "quiet-yjs",
  setup({ onLoad }) {
    onLoad({ filter: yjs.filter }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replace(yjs.duplicateCheck, "false"),
    }));
  },
};
