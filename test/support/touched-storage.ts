import { env } from "cloudflare:workers";

const STORES = ["DB", "SCRATCH", "FILES", "BACKUPS", "KV"] as const;
export type Store = (typeof STORES)[number];

/** The stores that the test used since its setup; the reset of the others is skipped. */
export const touched = new Set<Store>(STORES);
export const touchAll = (): void => {
  for (const store of STORES) touched.add(store);
};

const methodsOf = (store: Store) =>
  Object.getPrototypeOf(env[store]) as Record<string, (...given: unknown[]) => unknown>;

for (const methods of new Set(STORES.map(methodsOf))) {
  const alike = STORES.filter((store) => methodsOf(store) === methods);
  const bindings = new Map<unknown, Store>(alike.map((store) => [env[store], store]));
  for (const name of Object.getOwnPropertyNames(methods)) {
    const method = methods[name];
    if (name === "constructor" || typeof method !== "function") continue;
    methods[name] = function noted(this: unknown, ...given) {
      const store = bindings.get(this);
      // Another object of the class may be any of its stores.
      for (const each of store ? [store] : alike) touched.add(each);
      return method.apply(this, given);
    };
  }
}
