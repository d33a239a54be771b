import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // The routes of a page's links are asked for when it stands: the whole map, with the console in it, is script for everybody.
  routeDiscovery: { mode: "lazy", manifestPath: "/__manifest" },
} satisfies Config;
