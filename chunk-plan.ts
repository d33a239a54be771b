import type { Rolldown } from "vite";

const ALWAYS = ["entry.client", "home"];

/** Scripts that pages share: a module is in the first that has all pages and areas which use it. */
const SHARED_SCRIPTS: readonly { name: string; only?: readonly string[]; except?: readonly string[] }[] = [
  { name: "home", only: ["home", "english/home"] },
  { name: "list", only: ["board/list", "search"] },
  { name: "forms", only: ["mypage"] },
  { name: "people", only: ["alumni", "board", "content", "event", "inquiry", "mailing", "member", "mypage"] },
  { name: "office", only: ["audit", "event", "inquiry", "mail", "mailing", "member", "operation", "privacy", "site"] },
  { name: "forms", only: ["account", "alumni", "board", "content", "event", "info", "legal", "mypage", "site"] },
  { name: "common", except: [...ALWAYS, "board/list", "board/view"] },
  { name: "view", except: [...ALWAYS, "board/list"] },
  { name: "reading", except: ALWAYS },
  { name: "base", except: [] },
];
export const NAMED_PAGES = new Set(SHARED_SCRIPTS.flatMap(({ only = [], except = [] }) => [...only, ...except]));

/** Files of the Worker, the first needed first, with the modules that bring them along. */
const FIRST_FILES: readonly (readonly [name: string, modules: RegExp])[] = [
  ["start", /[\\/]worker[\\/]index\.ts$/],
  ["page", /[\\/](?:worker[\\/]page-rendering|app[\\/]root|app[\\/]routes[\\/]home)\.tsx?$|server-build$/],
  ["readers", /[\\/]app[\\/]routes[\\/](?:board[\\/](?:list|view)|info[\\/]page|account[\\/]signin)\.tsx$/],
];

const WITHOUT_SCRIPT = /^(?:home|entry\.client|mypage|.+\/.+)$/;
type Graph = Parameters<Rolldown.CodeSplittingNameFunction>[1];
const ENTRY = /[\\/]app[\\/](?:routes[\\/](?:console[\\/])?)?(root|entry\.client|(?!features|lib)[\w\\/-]+)\.tsx/;

/** @returns the module itself, and all that import it */
function importersOf(id: string, graph: Graph): string[] {
  const found = new Set([id]);
  for (const each of found) for (const importer of graph.getModuleInfo(each)?.importers ?? []) found.add(importer);
  return [...found];
}

function scriptOf(id: string, graph: Graph): string | null {
  const entries = importersOf(id, graph).filter((each) => {
    const info = graph.getModuleInfo(each);
    return info?.isEntry === true || (info?.dynamicImporters.length ?? 0) > 0;
  });
  const pages = entries.flatMap((entry) => ENTRY.exec(entry)?.[1]?.replaceAll("\\", "/") ?? []);
  if (pages.length === 0 || entries.includes(id)) return null;
  if (pages.includes("root")) return "base";
  if (entries.length < 2 || /\.css(?:$|\?)/.test(id)) return null;
  const places = [...new Set(pages.map((page) => (NAMED_PAGES.has(page) ? page : page.replace(/\/.*/, ""))))];
  const found = SHARED_SCRIPTS.find(({ only, except = [] }) =>
    places.every((place) => (only ? only.includes(place) : !except.includes(place))),
  );
  return places.length === 1 && !WITHOUT_SCRIPT.test(places.join()) ? places.join() : (found?.name ?? null);
}

export const scripts = { name: scriptOf, debugName: "scripts", includeDependenciesRecursively: false };

export const workerFiles = FIRST_FILES.map(([name, modules], at) => ({
  name: (id: string, graph: Graph) => (importersOf(id, graph).some((each) => modules.test(each)) ? name : null),
  debugName: name,
  priority: FIRST_FILES.length - at,
}));
