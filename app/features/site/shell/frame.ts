import { useRouteLoaderData } from "react-router";
import type { Frame } from "#worker/contract/site/view.ts";

/** What the root loads; `origin` makes canonical addresses whole. */
export type RootData = Frame & { origin: string };

/** The frame of the page; undefined only where the root itself could not be loaded. */
export function useFrame(): RootData | undefined {
  return useRouteLoaderData("root") as RootData | undefined;
}
