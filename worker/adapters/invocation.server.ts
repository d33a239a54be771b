/** Yields between the parts of long work. A local database answers in-process, so network events would starve. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

export function countStatements(d1: D1Database): { d1: D1Database; count(): number } {
  let prepared = 0;
  const counted = new Proxy(d1, {
    get(target, key) {
      const member = target[key as keyof D1Database] as unknown;
      if (typeof member !== "function") return member;
      return (...values: unknown[]) => {
        if (key === "prepare") prepared += 1;
        return (member as (...given: unknown[]) => unknown).apply(target, values);
      };
    },
  });
  return { d1: counted, count: () => prepared };
}
