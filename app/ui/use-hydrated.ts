import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False on the server and until the page listens. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
