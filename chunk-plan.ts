import type { Plugin } from "vite";

/** What one file more costs a page, in bytes of source: its request, and what it cannot share when it is packed. */
const FILE_COST = 2600;
/** A page of these counts as so many: their visitors come for the first time, the office's browsers have its files. */
const READING = { pages: /[\\/]routes[\\/](?:account|board|info|site)[\\/]/, weight: 3 };

/** A page has at most so many files, of which these are the application's: its start, its loader, base and root. */
const MOST_FILES = 12;
const EVERYWHERE = 4;

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

/** The part and all that comes with it. */
function bringAlong(parts: Parts, names: readonly string[]): Set<string> {
  const found = new Set(names);
  for (const name of found) for (const imported of parts.get(name)?.imports ?? []) found.add(imported);
  return found;
}

const usersOf = (parts: Parts, names: readonly string[]) => [
  ...new Set(names.flatMap((name) => [...(parts.get(name)?.users ?? [])])),
];

/** What pages then load and do not need. */
function wasteOf(parts: Parts, kept: string, gone: string): number {
  const users = usersOf(parts, [kept, gone]);
  let waste = 0;
  for (const name of bringAlong(parts, [kept, gone])) {
    const part = parts.get(name);
    if (part) waste += part.size * weigh(users.filter((entry) => !part.users.has(entry)));
  }
  return waste;
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
      // The first page of most loads nothing in vain.
      if (a.isOfHome !== b.isOfHome) continue;
      const gain = weigh([...a.users].filter((entry) => b.users.has(entry))) * FILE_COST - wasteOf(parts, kept, gone);
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
  for (const name of bringAlong(parts, [kept])) {
    const part = parts.get(name);
    if (part) Object.assign(part, describeUsers(new Set([...part.users, ...a.users])));
  }
}

const isPage = (entry: string) => /[\\/]app[\\/]routes[\\/]/.test(entry);
const isAccount = (entry: string) => /[\\/]routes[\\/]account[\\/]/.test(entry);
const isLayout = (entry: string) => /[\\/]layout\.tsx/.test(entry);

/** @returns of each page that has more files than a page may have, the names of its shared ones */
function findCrowded(modules: ReadonlyMap<string, Module>, parts: Parts): string[][] {
  const entries = [...modules].flatMap(([id, { isEntry }]) => (isEntry && isPage(id) ? [id] : []));
  return entries.flatMap((page) => {
    const own = entries.filter(
      (each) => each === page || (isLayout(each) && page.startsWith(each.replace(/layout\.tsx.*$/, ""))),
    );
    const names = [...parts].flatMap(([name, { users }]) => (own.some((entry) => users.has(entry)) ? [name] : []));
    // They stand within the layout of another language, too, and those of accounts there within one of their own.
    const others = isAccount(page) ? 2 : READING.pages.test(page) ? 1 : 0;
    return names.length + own.length + others > MOST_FILES - EVERYWHERE ? [names] : [];
  });
}

/** The pair whose joining lets the most crowded pages load the least in vain. */
function findCheapestPair(parts: Parts, crowded: readonly string[][]): [string, string] | null {
  let best: [string, string] | null = null;
  let least = Infinity;
  const names = [...new Set(crowded.flat())];
  for (const [index, kept] of names.entries()) {
    for (const gone of names.slice(index + 1)) {
      const a = parts.get(kept);
      const b = parts.get(gone);
      const helped = crowded.filter((each) => each.includes(kept) && each.includes(gone)).length;
      if (!a || !b || a.isOfHome !== b.isOfHome || helped === 0) continue;
      const cost = wasteOf(parts, kept, gone) / helped;
      if (cost >= least || reachesAround(parts, kept, gone) || reachesAround(parts, gone, kept)) continue;
      least = cost;
      best = [kept, gone];
    }
  }
  return best;
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
  for (let crowded = findCrowded(modules, parts); crowded.length > 0; crowded = findCrowded(modules, parts)) {
    const pair = findCheapestPair(parts, crowded);
    if (!pair) break;
    join(parts, pair);
  }
  for (const [index, part] of [...parts.values()].entries())
    for (const id of part.modules) plan.set(id, `shared-${index}`);
  return plan;
}

/** Joins the small files that pages share, where that saves more than it makes pages load in vain, or where a page has too many. */
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
