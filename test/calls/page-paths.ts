import routes from "#app/routes.ts";
import { samplePath } from "./sample-paths.ts";

type Route = (typeof routes)[number];
const pathsOf = (list: readonly Route[], parent = ""): string[] =>
  list.flatMap((route) => {
    const path = [parent, route.path].filter(Boolean).join("/");
    return [`/${path}`, ...pathsOf(route.children ?? [], path)];
  });

/** A sample address of every route. */
export const PAGE_PATHS: readonly string[] = [...new Set(pathsOf(routes))].map((path) =>
  samplePath(path.replace(":product", "pid").replace(":region", "seoul").replace("*", "no-such-page")).replace("?", ""),
);
