import { createContext } from "react-router";
import type { RequestScope } from "#worker/domain/kernel/context.ts";

/** What the Worker hands to every loader and to the renderer. */
export interface PageRequest {
  scope: RequestScope;
  requestId: string;
  /** For the scripts of this one answer. */
  nonce: string;
  /** What the page shows, if it is one that may be kept. */
  shows: readonly string[] | null;
  /** The next moments at which it changes by itself. */
  changes: Promise<number>[];
}

export const pageRequest = createContext<PageRequest>();
