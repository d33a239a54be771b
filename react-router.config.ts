import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // The whole route map is one static, cacheable file: no look-up request to the Worker per page.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
