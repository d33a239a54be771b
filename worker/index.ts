import { createRequestHandler, RouterContextProvider } from "react-router";
const handle = createRequestHandler(() => import("virtual:react-router/server-build"), import.meta.env.MODE);
export default {
  async fetch(request, env, ctx) {
    return handle(request, new RouterContextProvider());
  },
} satisfies ExportedHandler<Env>;
