import type { Plugin } from "vite";

/** What one file more costs a page, in bytes of source: its request, and what it cannot share when it is packed. */
const FILE_COST = 2800;
/** A visit counts as so many: search engines bring most readers to an item or a list; the office's browsers have its files. */
const WEIGHTS: readonly (readonly [pages: RegExp, weight: number])[] = [
  [/[\\/]routes[\\/](?:home|board[\\/](?:list|view))\.tsx/, 320],
  [/[\\/]routes[\\/](?:account|board|info|site)[\\/]/, 10],
];

/** A page has at most so many files, of which these are the application's: its start, its loader, base and root. */
const MOST_FILES = 12;
const EVERYWHERE = 4;
/** What a file above the most costs a page: more than joining any two. */
const CROWD_COST = 2_400_000;

/** The modules that bring along a file of the Worker, in the order in which they are needed. */
const FIRST_MODULES: Readonly<Record<string, RegExp>> = {
  start: /[\\/]worker[\\/]index\.ts$/,
  page: /[\\/](?:worker[\\/]page-rendering|app[\\/]root|app[\\/]routes[\\/]home)\.tsx?$|server-build$/,
  readers: /[\\/]app[\\/]routes[\\/](?:board[\\/](?:list|view)|info[\\/]page|account[\\/]signin)\.tsx$/,
};

/** The search ends when a round saves a smaller part. */
const LEAST_GAIN = 1e-4;

const isRoot = (entry: string) => /[\\/]app[\\/]root\.tsx/.test(entry);
const isEverywhere = (entry: string) => isRoot(entry) || /[\\/]entry\.client\.tsx/.test(entry);
const isHome = (entry: string) => /[\\/]routes[\\/]home\.tsx/.test(entry);
const isStyle = (id: string) => /\.css(?:$|\?)/.test(id);
const isPage = (entry: string) => /[\\/]app[\\/]routes[\\/]/.test(entry);

/** The layouts of a page; pages for visitors are counted as in English, where they have one more. */
const LAYOUTS: readonly (readonly [pages: RegExp, layout: RegExp])[] = [
  [/[\\/]routes[\\/]mypage[\\/]/, /[\\/]mypage[\\/]layout\.tsx/],
  [/[\\/]routes[\\/]console[\\/]/, /[\\/]console[\\/]layout\.tsx/],
  [/[\\/]routes[\\/](?:account|board|english|info|legal|site)[\\/]/, /[\\/]english[\\/]layout\.tsx/],
  [/[\\/]routes[\\/]account[\\/]/, /[\\/]english[\\/]account\.tsx/],
];

interface Module {
  size: number;
  /** A page, or what is loaded by itself later. */
  isEntry: boolean;
  imports: readonly string[];
}
type Modules = ReadonlyMap<string, Module>;
type Users = Map<string, Set<string>>;

/** All modules that the same entries load: they never part. */
interface Unit {
  modules: string[];
  size: number;
  isOfHome: boolean;
  /** Indexes of other units. */
  imports: Set<number>;
}

/** What one entry loads. */
interface Visit {
  units: readonly number[];
  weight: number;
  filesMax: number;
}

/** @returns of each module, which entries load it */
function findUsers(modules: Modules): Users {
  const users: Users = new Map();
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

function findUnits(modules: Modules, shared: Users): Map<string, Unit> {
  const units = new Map<string, Unit>();
  const keys = new Map([...shared].map(([id, users]) => [id, [...users].toSorted().join(" ")]));
  for (const [id, key] of keys) {
    const isOfHome = [...(shared.get(id) ?? [])].some(isHome);
    const unit = units.get(key) ?? { modules: [], size: 0, isOfHome, imports: new Set() };
    units.set(key, unit);
    unit.modules.push(id);
    unit.size += modules.get(id)?.size ?? 0;
  }
  const indexes = new Map([...units.keys()].map((key, index) => [key, index]));
  for (const [key, unit] of units) {
    const imported = unit.modules.flatMap((id) => (modules.get(id)?.imports ?? []).map((each) => keys.get(each)));
    for (const each of imported) if (each !== undefined && each !== key) unit.imports.add(indexes.get(each) ?? 0);
  }
  return units;
}

function findVisits(modules: Modules, keys: readonly string[], usersOf: Users): Visit[] {
  const entries = [...modules].flatMap(([id, { isEntry }]) => (isEntry && !isEverywhere(id) ? [id] : []));
  const users = keys.map((key) => new Set(key.split(" ")));
  // Stay files of their own: what is loaded later but also imported, and styles that several pages have.
  const alone = [...usersOf].flatMap(([id, { size }]) =>
    (modules.get(id)?.isEntry && !isEverywhere(id)) || (size > 1 && id.endsWith(".css?url")) ? [id] : [],
  );
  return entries.map((entry) => {
    const layouts = LAYOUTS.flatMap(([pages, layout]) => (isPage(entry) && pages.test(entry) ? [layout] : []));
    const own = entries.filter((each) => each === entry || layouts.some((layout) => layout.test(each)));
    const ownFiles = alone.filter((each) => own.some((one) => usersOf.get(each)?.has(one)));
    return {
      units: [...users.keys()].filter((index) => own.some((each) => users[index]?.has(each))),
      weight: WEIGHTS.find(([pages]) => pages.test(entry))?.[1] ?? 1,
      filesMax: isPage(entry) ? MOST_FILES - EVERYWHERE - ownFiles.length : Infinity,
    };
  });
}

/** @returns each file's own place and those of all files that it imports; null if a file imports itself by way of others */
function findImported(direct: readonly ReadonlySet<number>[]): (readonly number[])[] | null {
  const all: (Set<number> | null | undefined)[] = [];
  const visit = (file: number): Set<number> | null => {
    const known = all[file];
    if (known !== undefined) return known;
    all[file] = null;
    const found = new Set([file]);
    for (const each of direct[file] ?? []) {
      const more = visit(each);
      if (!more) return null;
      for (const one of more) found.add(one);
    }
    return (all[file] = found);
  };
  const found: (readonly number[])[] = [];
  for (const file of direct.keys()) {
    const imported = visit(file);
    if (!imported) return null;
    found.push([...imported]);
  }
  return found;
}

/** @returns what all visits load, by their weight; Infinity for what cannot be loaded */
function costOf(units: readonly Unit[], visits: readonly Visit[], fileOf: Int32Array): number {
  const places = new Map<number, number>();
  for (const file of fileOf) if (!places.has(file)) places.set(file, places.size);
  const placeOf = fileOf.map((file) => places.get(file) ?? 0);
  const sizes = new Float64Array(places.size);
  const ofHome = new Int8Array(places.size);
  const direct = [...places].map(() => new Set<number>());
  for (const [index, { size, isOfHome, imports }] of units.entries()) {
    const place = placeOf[index] ?? 0;
    sizes[place] = (sizes[place] ?? 0) + size;
    // The first page of most loads nothing in vain.
    if (ofHome[place] === (isOfHome ? -1 : 1)) return Infinity;
    ofHome[place] = isOfHome ? 1 : -1;
    for (const each of imports) if (placeOf[each] !== place) direct[place]?.add(placeOf[each] ?? 0);
  }
  const imported = findImported(direct);
  if (!imported) return Infinity;
  let cost = 0;
  const lastVisit = new Int32Array(places.size);
  for (const [index, { units: loaded, weight, filesMax }] of visits.entries()) {
    let files = 0;
    for (const unit of loaded) {
      if (lastVisit[placeOf[unit] ?? 0] === index + 1) continue;
      for (const place of imported[placeOf[unit] ?? 0] ?? []) {
        if (lastVisit[place] === index + 1) continue;
        lastVisit[place] = index + 1;
        files += 1;
        cost += weight * ((sizes[place] ?? 0) + FILE_COST);
      }
    }
    if (files > filesMax) cost += CROWD_COST * (files - filesMax);
  }
  return cost;
}

/** Joins files and moves units between them as long as the visits load less. @returns the file of each unit */
function improve(units: readonly Unit[], visits: readonly Visit[]): Int32Array {
  const all = [...units.keys()];
  const fileOf = Int32Array.from(all);
  let least = costOf(units, visits, fileOf);
  const inFile = (file: number) => all.filter((unit) => fileOf[unit] === file);
  const unusedFiles = () => {
    const used = new Set(fileOf);
    return all.filter((file) => !used.has(file));
  };
  // Only what some visit loads together is worth a common file.
  const together = all.map((unit) => visits.filter(({ units: loaded }) => loaded.includes(unit)));
  const neighbours = together.map((own) => [...new Set(own.flatMap(({ units: loaded }) => loaded))]);
  const tryBest = (moved: readonly number[], unused: readonly number[]) => {
    const from = fileOf[moved[0] ?? 0] ?? 0;
    const put = (file: number) => {
      for (const unit of moved) fileOf[unit] = file;
    };
    let best = from;
    for (const file of new Set([
      ...moved.flatMap((unit) => neighbours[unit] ?? []).map((unit) => fileOf[unit] ?? 0),
      ...unused,
    ])) {
      if (file === from) continue;
      put(file);
      const cost = costOf(units, visits, fileOf);
      if (cost >= least) continue;
      least = cost;
      best = file;
    }
    put(best);
  };
  const climb = () => {
    for (let before = Infinity; least < before * (1 - LEAST_GAIN);) {
      before = least;
      for (const file of new Set(fileOf)) tryBest(inFile(file), []);
      for (const unit of all) tryBest([unit], unusedFiles().slice(0, 1));
    }
  };
  climb();
  // A climb ends where no single step helps; taking apart a file of the most important visits finds better plans.
  const most = Math.max(...visits.map(({ weight }) => weight));
  const important = visits.filter(({ weight }) => weight === most).flatMap(({ units: loaded }) => loaded);
  for (const file of new Set(important.map((unit) => fileOf[unit] ?? 0))) {
    const [saved, before, moved, unused] = [fileOf.slice(), least, inFile(file).slice(1), unusedFiles()];
    for (const [index, unit] of moved.entries()) fileOf[unit] = unused[index] ?? file;
    least = costOf(units, visits, fileOf);
    climb();
    if (least < before) continue;
    fileOf.set(saved);
    least = before;
  }
  return fileOf;
}

/** @returns the name of the file of each module that several pages have; the rest is left to the bundler */
export function planChunks(modules: Modules): Map<string, string> {
  const plan = new Map<string, string>();
  const shared: Users = new Map();
  const usersOf = findUsers(modules);
  for (const [id, users] of usersOf) {
    if (modules.get(id)?.isEntry) continue;
    const entries = [...users];
    // What every page has is one file.
    if (entries.some(isRoot) || (users.size > 1 && entries.some(isEverywhere))) plan.set(id, "base");
    else if (users.size > 1 && !isStyle(id)) shared.set(id, users);
  }
  const units = findUnits(modules, shared);
  const all = [...units.values()];
  const fileOf = improve(all, findVisits(modules, [...units.keys()], usersOf));
  for (const [index, unit] of all.entries()) for (const id of unit.modules) plan.set(id, `shared-${fileOf[index]}`);
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
      // Modules come in the order of their reading, which differs from build to build.
      for (const id of [...this.getModuleIds()].toSorted()) {
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

/** Groups the Worker's modules by need: before any request, for the first page, for visitors' pages. The rest is shared. */
export function firstChunks() {
  const chunks = Object.keys(FIRST_MODULES).map((name) => ({ name, modules: new Set<string>() }));
  const plugin: Plugin = {
    name: "first-chunks",
    applyToEnvironment: ({ name }) => name === "ssr",
    renderStart() {
      for (const { name, modules } of chunks) {
        const open = [...this.getModuleIds()].filter((id) => FIRST_MODULES[name]?.test(id));
        for (let id = open.pop(); id !== undefined; id = open.pop()) {
          if (modules.has(id)) continue;
          modules.add(id);
          open.push(...(this.getModuleInfo(id)?.importedIds ?? []));
        }
      }
    },
  };
  const groups = chunks.map(({ name, modules }, at) => ({
    name,
    test: (id: string) => modules.has(id),
    priority: chunks.length - at,
  }));
  return { plugin, groups };
}
