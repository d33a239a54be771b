import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

/** From `npm run dev` (worker/local/dev.ts): where the data lies, and the settings of this machine. */
const local = process.env.LOCAL_SITE
  ? (JSON.parse(process.env.LOCAL_SITE) as { folder: string; vars: Record<string, string> })
  : null;

export default defineConfig({
  // What one build rendered must not be served by the next.
  define: { __BUILD__: JSON.stringify(Date.now().toString(36)) },
  publicDir: "app/public",
  worker: { format: "es" },
  // All packages are found at the start; one found later reloads every page.
  optimizeDeps: { entries: ["app/**/*.{ts,tsx}"] },
  plugins: [
    cloudflare({
      viteEnvironment: { name: "ssr" },
      ...(local && { persistState: { path: local.folder }, config: { vars: local.vars } }),
    }),
    tailwindcss(),
    reactRouter(),
  ],
});
