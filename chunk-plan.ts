import type { Plugin } from "vite";

/** What one file more costs a page, in bytes of source: its request, and what it cannot share when it is packed. */
const FILE_COST = 4000;
/** A page of these counts as so many: their visitors come for the first time, the office's browsers have its files. */
const READING = { pages: /[\\/]routes[\\/](?:board|info|site)[\\/]/, weight: 3 };

const isRoot = (entry: string) => /[\\/]app[\\/]root\.tsx/.test(entry);
const isEverywhere = (entry: string) => isRoot(entry) || /[\\/]entry\.client\.tsx/.test(entry);
const isHome = (entry: string) => /[\\/]routes[\\/]home\.tsx/.test(entry);
const isStyle = (id: string) => /\.css(?:$|\?)/.test(id);

interface Module {
  size: number;
  /** A page, or what is loaded by itself later. */
  isEntry: boolean;
  imports: readonly string[];
}

/** Modules that go into one file. */
interface Part {
  modules: string[];
  size: number;
  users: ReadonlySet<string>;
  /** What a file of all its users costs or saves. */
  weight: number;
  isOfHome: boolean;
  /** Other parts, by name. */
  imports: Set<string>;
}
type Parts = Map<string, Part>;

/** @returns of each module, which entries bring it with them */
function findUsers(modules: ReadonlyMap<string, Module>): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>();
  for (const [entry, { isEntry }] of modules) {
    if (!isEntry) continue;
    const open = [entry];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const known = users.get(id) ?? new Set();
      if (known.has(entry)) continue;
      users.set(id, known.add(entry));
      open.push(...(modules.get(id)?.imports ?? []));
    }
  }
  return users;
}

const weigh = (users: Iterable<string>) =>
  [...users].reduce((sum, entry) => sum + (READING.pages.test(entry) ? READING.weight : 1), 0);

const describeUsers = (users: ReadonlySet<string>) => ({
  users,
  weight: weigh(users),
  isOfHome: [...users].some(isHome),
});

/** One part for all modules that the same pages have. */
function findParts(modules: ReadonlyMap<string, Module>, shared: ReadonlyMap<string, ReadonlySet<string>>): Parts {
  const parts: Parts = new Map();
  const nameOf = (id: string) => [...(shared.get(id) ?? [])].toSorted().join(" ");
  for (const [id, users] of shared) {
    const name = nameOf(id);
    const part = parts.get(name) ?? { modules: [], size: 0, ...describeUsers(users), imports: new Set() };
    part.modules.push(id);
    part.size += modules.get(id)?.size ?? 0;
    for (const imported of modules.get(id)?.imports ?? [])
      if (shared.has(imported) && nameOf(imported) !== name) part.imports.add(nameOf(imported));
    parts.set(name, part);
  }
  return parts;
}

/** What pages save by one file less, without what they then load and do not need. */
function gainOf(a: Part, b: Part): number {
  // The first page of most loads nothing in vain.
  if (a.isOfHome !== b.isOfHome) return 0;
  const both = weigh([...a.users].filter((entry) => b.users.has(entry)));
  return both * FILE_COST - a.size * (b.weight - both) - b.size * (a.weight - both);
}

/** Whether the one reaches the other by way of a third, which then would import what imports it. */
function reachesAround(parts: Parts, from: string, to: string): boolean {
  const seen = new Set([from]);
  const open = [...(parts.get(from)?.imports ?? [])].filter((name) => name !== to);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name === to) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    open.push(...(parts.get(name)?.imports ?? []));
  }
  return false;
}

function findBestPair(parts: Parts): [kept: string, gone: string] | null {
  let best: [string, string] | null = null;
  let most = 0;
  const all = [...parts];
  for (const [index, [kept, a]] of all.entries()) {
    for (const [gone, b] of all.slice(index + 1)) {
      // Pages that have both are the most there is to save.
      if (Math.min(a.weight, b.weight) * FILE_COST <= most) continue;
      const gain = gainOf(a, b);
      if (gain <= most || reachesAround(parts, kept, gone) || reachesAround(parts, gone, kept)) continue;
      most = gain;
      best = [kept, gone];
    }
  }
  return best;
}

function join(parts: Parts, [kept, gone]: [string, string]): void {
  const a = parts.get(kept);
  const b = parts.get(gone);
  if (!a || !b) return;
  parts.delete(gone);
  a.modules.push(...b.modules);
  a.size += b.size;
  Object.assign(a, describeUsers(new Set([...a.users, ...b.users])));
  for (const name of b.imports) a.imports.add(name);
  for (const part of parts.values()) if (part.imports.delete(gone)) part.imports.add(kept);
  a.imports.delete(kept);
}

/** @returns the name of the file of each module that several pages have; the rest is left to the bundler */
export function planChunks(modules: ReadonlyMap<string, Module>): Map<string, string> {
  const plan = new Map<string, string>();
  const shared = new Map<string, Set<string>>();
  for (const [id, users] of findUsers(modules)) {
    if (modules.get(id)?.isEntry) continue;
    const entries = [...users];
    // What every page has is one file.
    if (entries.some(isRoot) || (users.size > 1 && entries.some(isEverywhere))) plan.set(id, "base");
    else if (users.size > 1 && !isStyle(id)) shared.set(id, users);
  }
  const parts = findParts(modules, shared);
  for (let pair = findBestPair(parts); pair; pair = findBestPair(parts)) join(parts, pair);
  for (const [index, part] of [...parts.values()].entries())
    for (const id of part.modules) plan.set(id, `shared-${index}`);
  return plan;
}

/** Joins the small files that pages share, where that saves more than it makes pages load in vain. */
export function sharedChunks() {
  let plan = new Map<string, string>();
  const plugin: Plugin = {
    name: "shared-chunks",
    applyToEnvironment: ({ name }) => name === "client",
    // A group that does not bring along what it imports asks for it.
    options: (options) => ({ ...options, preserveEntrySignatures: "allow-extension" }),
    renderStart() {
      const modules = new Map<string, Module>();
      for (const id of this.getModuleIds()) {
        const info = this.getModuleInfo(id);
        if (!info) continue;
        modules.set(id, {
          size: info.code?.length ?? 0,
          isEntry: info.isEntry || info.dynamicImporters.length > 0,
          imports: info.importedIds,
        });
      }
      plan = planChunks(modules);
    },
  };
  return {
    plugin,
    group: { name: (id: string) => plan.get(id) ?? null, debugName: "shared", includeDependenciesRecursively: false },
  };
}
