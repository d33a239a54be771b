import { useSyncExternalStore } from "react";

const subscribeToNothing = () => () => {};

/** False on the server and until the page listens. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}
