// Pages with a component of a framework, bundled as its tools do.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { compile } from "svelte/compiler";
import { compileScript, parse } from "vue/compiler-sfc";
import { root } from "./sources.ts";

/** Shows the component `Threads` of a project, by the framework. */
export const mounts = {
  react: `import { createRoot } from "react-dom/client";
    import { createElement } from "react";
    import { Threads } from "${"./Threads"}.jsx";
    createRoot(document.querySelector("div")).render(createElement(Threads));`,
  vue: `import { createApp } from "vue";
    import Threads from "${"./Threads"}.vue";
    createApp(Threads).mount("div");`,
  svelte: `import { mount } from "svelte";
    import Threads from "${"./Threads"}.svelte";
    mount(Threads, { target: document.querySelector("div") });`,
};

const components: Plugin = {
  name: "components",
  setup({ onLoad }) {
    onLoad({ filter: /\.vue$/ }, async ({ path }) => {
      const { descriptor } = parse(await readFile(path, "utf8"), { filename: path });
      return { contents: compileScript(descriptor, { id: "component", inlineTemplate: true }).content };
    });
    onLoad({ filter: /\.svelte$/ }, async ({ path }) => ({
      contents: compile(await readFile(path, "utf8"), { filename: path }).js.code,
    }));
  },
};

/** Writes `<name>.html` with a script into the folder of a project. */
export async function addPage(dir: string, name: string, contents: string): Promise<void> {
  await build({
    stdin: { contents, resolveDir: dir },
    bundle: true,
    format: "esm",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    nodePaths: [join(root, "node_modules")],
    outfile: join(dir, `${name}.bundle.js`),
    plugins: [components],
  });
  const script = `<script type="module" src="/${name}.bundle.js"></script>`;
  await writeFile(join(dir, `${name}.html`), `<!doctype html><div id="editor"></div>${script}`);
}
