import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

export default defineConfig({
  // What one build rendered must not be served by the next.
  define: { __BUILD__: JSON.stringify(Date.now().toString(36)) },
  publicDir: "app/public",
  worker: { format: "es" },
  plugins: [cloudflare({ viteEnvironment: { name: "ssr" } }), tailwindcss(), reactRouter()],
});
