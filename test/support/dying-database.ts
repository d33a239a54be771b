import { env } from "cloudflare:workers";

/** Answers this many more statements, then behaves like a terminated Worker. */
export function dyingDatabase(calls: number): { DB: D1Database; died: () => boolean; kill: () => void } {
  let left = calls;
  const DB = new Proxy(env.DB, {
    get(real, name) {
      const member = real[name as keyof D1Database] as unknown;
      if (typeof member !== "function") return member;
      return (...values: unknown[]) => {
        if (name === "prepare" && (left -= 1) < 0) throw new Error("D1_ERROR: Network connection lost.");
        return (member as (...given: unknown[]) => unknown).apply(real, values);
      };
    },
  });
  return { DB, died: () => left < 0, kill: () => (left = 0) };
}
