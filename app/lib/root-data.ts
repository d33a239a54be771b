import { use } from "react";
import { useRouteLoaderData } from "react-router";
import { PageLanguage } from "#app/lib/page-language.ts";

/** What stands around the page, as far as the caller needs it; undefined only where it could not be loaded. */
export function useRootData<T extends object>(): T | undefined {
  const loaded = useRouteLoaderData("root") as T | undefined;
  return (use(PageLanguage).frame as T | undefined) ?? loaded;
}
