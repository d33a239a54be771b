import { useRouteLoaderData } from "react-router";

/** What the root of every page loaded, as far as the caller needs it; undefined only where the root could not be loaded. */
export const useRootData = <T extends object>(): T | undefined => useRouteLoaderData("root") as T | undefined;
