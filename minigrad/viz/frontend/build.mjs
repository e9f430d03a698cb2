// Bundles the front end into ../static, or with --tests its unit tests into build/.
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const SHIPPED = ["@hpcc-js/wasm-graphviz"];
const here = (path) => new URL(path, import.meta.url).pathname;
const common = { bundle: true, format: "esm", target: "es2022", loader: { ".css": "text" } };

if (process.argv.includes("--tests")) {
  await rm(here("build"), { recursive: true, force: true });
  const tests = (await readdir(here("test"))).map((name) => here(`test/${name}`));
  await build({ ...common, entryPoints: tests, outdir: here("build"), platform: "node" });
} else {
  await build({
    ...common,
    entryPoints: ["boot", "keys", "live", "graphviz"].map((name) => here(`src/${name}.ts`)),
    outdir: here("../static"),
    absWorkingDir: here("."),
    charset: "utf8",
    legalComments: "inline",
    minify: true,
  });
  await writeFile(here("../static/THIRD_PARTY_LICENSES.txt"), await licenses());
}

async function licenses() {
  const texts = SHIPPED.map(async (name) => {
    const { version, license } = JSON.parse(await readFile(here(`node_modules/${name}/package.json`), "utf8"));
    const text = await readFile(here(`node_modules/${name}/LICENSE`), "utf8");
    return `${name} ${version} (${license}), part of graphviz.js\n\n${text}`;
  });
  const graphviz =
    "graphviz.js holds Graphviz (https://graphviz.org), compiled to WebAssembly; Graphviz is under the\n" +
    "Eclipse Public License 1.0, https://www.eclipse.org/legal/epl-v10.html; its source is at\n" +
    "https://gitlab.com/graphviz/graphviz.\n\n";
  return graphviz + (await Promise.all(texts)).join("\n\n");
}
