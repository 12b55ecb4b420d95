// Bundles the page: src/main.ts -> page.js and page.css in target/page, from where `cargo xtask page` takes them.
// With --tests: test/*.test.ts -> .test/*.test.mjs, for node --test.
import * as esbuild from "esbuild";
import { readFileSync, readdirSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = ["chrome102", "firefox110", "safari16.4"];

/** `import text from "./worker.ts?inline"`: the module bundled as a classic script, as text. */
const inline = {
  name: "inline",
  setup(build) {
    build.onResolve({ filter: /\?inline$/ }, (args) => ({
      path: resolve(args.resolveDir, args.path.slice(0, -"?inline".length)),
      namespace: "inline",
    }));
    build.onLoad({ filter: /.*/, namespace: "inline" }, async (args) => {
      const made = await esbuild.build({
        entryPoints: [args.path],
        bundle: true,
        write: false,
        minify: true,
        format: "iife",
        target,
        charset: "utf8",
        legalComments: "none",
      });
      return { contents: made.outputFiles[0].text, loader: "text" };
    });
  },
};

const common = { bundle: true, charset: "utf8", absWorkingDir: here, plugins: [inline], logLevel: "warning" };

if (process.argv.includes("--tests")) {
  rmSync(resolve(here, ".test"), { recursive: true, force: true });
  await esbuild.build({
    ...common,
    entryPoints: readdirSync(resolve(here, "test"))
      .filter((f) => f.endsWith(".test.ts"))
      .map((f) => `test/${f}`),
    outdir: ".test",
    outExtension: { ".js": ".mjs" },
    platform: "node",
    format: "esm",
    packages: "external",
    loader: { ".css": "empty" },
  });
} else {
  // The licence of uPlot asks to stay with it.
  const licence = readFileSync(resolve(here, "node_modules/uplot/LICENSE"), "utf8").trim();
  await esbuild.build({
    ...common,
    entryPoints: { page: "src/main.ts" },
    outdir: "../../../target/page",
    format: "iife",
    minify: true,
    target,
    legalComments: "none",
    sourcemap: false,
    banner: { js: `/*! With uPlot:\n${licence}\n*/` },
  });
}
