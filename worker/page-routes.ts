import { createRequestHandler, createStaticHandler, type RouteObject, type ServerBuild } from "react-router";

type RequestHandler = ReturnType<typeof createRequestHandler>;
type RouteModule = NonNullable<ServerBuild["routes"][string]>["module"];

const serverBuild = () => import("virtual:react-router/server-build");
const handlers = new Map<string, RequestHandler>();
const matchers = new Map<string, ReturnType<typeof createStaticHandler>>();
const idsOfPath = new Map<string, string[]>();
const PATHS_KEPT = 500;
const PATH_LENGTH_KEPT = 100;

/** Loads only the modules that the address matches, so that a new isolate starts quickly. */
export async function handlerFor({ pathname }: URL): Promise<RequestHandler> {
  // The router derives its routes on each request if the build is a function; development needs that.
  if (import.meta.env.DEV) return createRequestHandler(serverBuild, import.meta.env.MODE);
  const build = await serverBuild();
  const path = pathname.replace(/(?:(?<=\/)_)?\.data$/, "");
  const isManifest = path === build.routeDiscovery.manifestPath;
  const matched = isManifest ? [] : await matchedIds(build, path);
  const key = matched.join(" ");
  const handler = handlers.get(key) ?? (await createHandler(build, matched, isManifest ? null : path));
  handlers.set(key, handler);
  return handler;
}

/** @param path null for the addresses of all routes */
async function createHandler(build: ServerBuild, matched: string[], path: string | null): Promise<RequestHandler> {
  // `routesOnDemand` (vite.config.ts) makes each module an import.
  const imports = matched.map((id) => build.routes[id]?.module as unknown as () => Promise<RouteModule>);
  const loaded = await Promise.all(imports.map((load) => load()));
  const modules = new Map(matched.map((id, at) => [id, loaded[at]]));
  // A page's script also gets the routes of its parents.
  const parents = path === null ? [] : await Promise.all(pathsAbove(path).map((each) => matchedIds(build, each)));
  const known = new Set([...matched, ...parents.flat()]);
  const isKnown = ([id]: [string, unknown]) => path === null || known.has(id);
  const routes = Object.entries(build.routes)
    .filter(isKnown)
    .map(([id, route]) => [id, { ...route, module: modules.get(id) ?? {} }] as const);
  const assets = { ...build.assets, routes: Object.fromEntries(Object.entries(build.assets.routes).filter(isKnown)) };
  return createRequestHandler(
    { ...build, assets, routes: Object.fromEntries(routes) as ServerBuild["routes"] },
    import.meta.env.MODE,
  );
}

async function matchedIds(build: ServerBuild, path: string): Promise<string[]> {
  const known = idsOfPath.get(path);
  if (known) return known;
  const url = new URL("http://routes");
  url.pathname = path;
  const found = await matcherOf(build, path).query(new Request(url));
  const ids = found instanceof Response ? [] : found.matches.map(({ route }) => route.id);
  if (idsOfPath.size >= PATHS_KEPT) idsOfPath.clear();
  if (path.length <= PATH_LENGTH_KEPT) idsOfPath.set(path, ids);
  return ids;
}

/** Knows only routes that can begin like the address: a new isolate takes long to compare an address with all. */
function matcherOf({ routes }: ServerBuild, path: string) {
  const begin = firstSegment(path);
  const first = Object.values(routes).some((route) => route && isTop(route) && staticStart(route) === begin)
    ? begin
    : "";
  const matcher = matchers.get(first) ?? createStaticHandler(treeOf(routes, first));
  matchers.set(first, matcher);
  return matcher;
}

type Route = NonNullable<ServerBuild["routes"][string]>;

const isTop = ({ parentId }: Route) => parentId === "root";

/** @returns undefined for a segment that may be another or absent */
const staticStart = ({ path = "*" }: Route) => /^[\w.-]+(?=\/|$)/.exec(path)?.[0].toLowerCase();

function firstSegment(path: string): string {
  const first = path.split("/")[1] ?? "";
  try {
    return decodeURIComponent(first).toLowerCase();
  } catch {
    return first.toLowerCase();
  }
}

function treeOf(routes: ServerBuild["routes"], first: string, parentId?: string): RouteObject[] {
  return Object.values(routes).flatMap((route) => {
    if (!route || route.parentId !== parentId) return [];
    if (isTop(route) && ![undefined, first].includes(staticStart(route))) return [];
    const { id, path, index, caseSensitive } = route;
    const known = { id, ...(path !== undefined && { path }), ...(caseSensitive !== undefined && { caseSensitive }) };
    return [index ? { ...known, index } : { ...known, children: treeOf(routes, first, id) }];
  });
}

const pathsAbove = (path: string): string[] => {
  const segments = path.split("/").filter(Boolean);
  return segments.map((_, at) => `/${segments.slice(0, at).join("/")}`);
};
