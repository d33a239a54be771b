import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { defineConfig, minify, type Plugin } from "vite";
import { scripts, workerFiles } from "./chunk-plan.ts";

/** From `npm run dev` (worker/local/dev.ts): where the data lies, and the settings of this machine. */
const local = process.env.LOCAL_SITE
  ? (JSON.parse(process.env.LOCAL_SITE) as { folder: string; vars: Record<string, string> })
  : null;

/** The oldest browsers that get the application (README, test/boundary.test.ts); older ones read pages without it. */
const BROWSER_FLOOR = ["chrome109", "edge109", "safari18", "ios18", "firefox132"];

/** What only the browser's workers and guests' pages read: wrangler would upload it as modules of the Worker, twelve megabytes of them. */
const withoutBrowserWorkers: Plugin = {
  name: "without-browser-workers",
  enforce: "post",
  applyToEnvironment: ({ name }) => name === "ssr",
  generateBundle: {
    order: "post",
    handler(_options, bundle) {
      const code = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? [file.code] : []));
      // By the address that a page has it from, no module of the Worker imports it.
      const isImported = (name: string) =>
        code.some((text) => text.replaceAll(`/${name}`, "").includes(basename(name)));
      for (const name of Object.keys(bundle)) {
        const isLoose = /\.(?:js|wasm)$/.test(name) && bundle[name]?.type === "asset";
        if (isLoose && !isImported(name)) delete bundle[name];
      }
    },
  },
};

/** Imports each route's module when a request matches it (worker/page-routes.ts). */
const routesOnDemand: Plugin = {
  name: "routes-on-demand",
  apply: "build",
  transform: {
    filter: { id: /virtual:react-router\/server-build$/ },
    handler: (code) => code.replace(/^\s*import \* as (route\d+) from (.+);$/gm, "const $1 = () => import($2);"),
  },
};

/**
 * React Router 8.4.0 writes each page's data as a stream, which nobody reads: app/entry.server.tsx writes it as one value.
 * In development the stream stays unread.
 */
const withoutDataStream: Plugin = {
  name: "without-data-stream",
  apply: "build",
  applyToEnvironment: ({ name }) => name === "ssr",
  transform: {
    filter: { id: /react-router\/dist\/production\/lib\/server-runtime\/server\.js$/ },
    handler: (code) => code.replaceAll(/serverHandoffStream: encodeViaTurboStream\(state, [^)]*\),/g, ""),
  },
  generateBundle(_options, bundle) {
    const written = Object.values(bundle).filter(
      (file) => file.type === "chunk" && /serverHandoffStream:\s*[\w$]+\(/.test(file.code),
    );
    if (written.length > 0) this.error("React Router writes its stream of data again: mend `withoutDataStream`.");
  },
};

/** Icons of the server are made by app/lib/markup/lucide-icon.ts; test/icons.test.ts compares them with lucide's own. */
const iconsOfServer: Plugin = {
  name: "icons-of-server",
  enforce: "pre",
  applyToEnvironment: ({ name }) => name === "ssr",
  resolveId: {
    filter: { id: /^\.\.\/createLucideIcon\.mjs$/ },
    handler: () => resolve(import.meta.dirname, "app/lib/markup/lucide-icon.ts"),
  },
};

/** The scripts in the head of a page, as short as the others are. */
const shortHeadScripts: Plugin = {
  name: "short-head-scripts",
  enforce: "pre",
  load: {
    filter: { id: /(?:early-press|floor|not-loaded)\.js\?raw$/ },
    async handler(id) {
      const file = id.replace(/\?raw$/, "");
      this.addWatchFile(file);
      const { code } = await minify(file, await readFile(file, "utf8"), { compress: { target: "es2015" } });
      return `export default ${JSON.stringify(code)}`;
    },
  },
};

/** Lets a shared script import from a page's; React Router asks for entries that export nothing else. */
const extensibleEntries: Plugin = {
  name: "extensible-entries",
  applyToEnvironment: ({ name }) => name === "client",
  options: (options) => ({ ...options, preserveEntrySignatures: "allow-extension" }),
};

export default defineConfig({
  // What one build rendered must not be served by the next.
  define: { __BUILD__: JSON.stringify(Date.now().toString(36)) },
  publicDir: "app/public",
  oxc: { jsx: { runtime: "automatic", importSource: "#jsx", development: false } },
  resolve: {
    alias: Object.fromEntries(
      ["#jsx/jsx-runtime", "#jsx/jsx-dev-runtime"].map((name) => [
        name,
        resolve(import.meta.dirname, "app/lib/markup/jsx-runtime.ts"),
      ]),
    ),
  },
  // All packages are found at the start; one found later reloads every page, and a page under way never comes.
  environments: {
    client: {
      build: {
        target: BROWSER_FLOOR,
        cssTarget: BROWSER_FLOOR,
        rolldownOptions: { output: { codeSplitting: { groups: [scripts] } } },
      },
    },
    ssr: {
      build: {
        minify: true,
        // For the stacks in Cloudflare's logs (`upload_source_maps`).
        sourcemap: true,
        // Fewer chunks start an isolate quicker than less code in more of them.
        rolldownOptions: {
          output: { codeSplitting: { groups: [...workerFiles, { name: "shared", minShareCount: 8 }] } },
        },
      },
      optimizeDeps: { entries: ["app/**/*.{ts,tsx}"] },
    },
  },
  worker: { format: "es" },
  optimizeDeps: { entries: ["app/**/*.{ts,tsx}"] },
  plugins: [
    cloudflare({
      viteEnvironment: { name: "ssr" },
      // What is built; wrangler.toml names what comes out of it, so that wrangler by itself can deploy.
      config: { main: "./worker/index.ts", ...(local && { vars: local.vars }) },
      ...(local && { persistState: { path: local.folder } }),
    }),
    tailwindcss(),
    reactRouter(),
    routesOnDemand,
    withoutDataStream,
    iconsOfServer,
    shortHeadScripts,
    extensibleEntries,
    withoutBrowserWorkers,
  ],
});
