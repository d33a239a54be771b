import { env } from "cloudflare:workers";

/** Whether the test used the storage since its setup; the reset is skipped otherwise. */
export const storage = { isTouched: true };

for (const binding of [env.DB, env.FILES, env.KV] as object[]) {
  const methods = Object.getPrototypeOf(binding) as Record<string, (...given: unknown[]) => unknown>;
  for (const name of Object.getOwnPropertyNames(methods)) {
    const method = methods[name];
    if (name === "constructor" || typeof method !== "function") continue;
    methods[name] = function touched(this: unknown, ...given) {
      storage.isTouched = true;
      return method.apply(this, given);
    };
  }
}
