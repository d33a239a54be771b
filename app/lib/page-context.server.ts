import { createContext } from "react-router";
import type { RequestScope } from "#worker/domain/kernel/context.ts";

/** What the Worker hands to every loader and to the renderer. */
export interface PageRequest {
  scope: RequestScope;
  requestId: string;
  /** For the scripts of this one answer. */
  nonce: string;
  /** How long the page may serve other guests, if it is one that may; a loader lowers it for what will not last. */
  shareSeconds: number;
}

export const pageRequest = createContext<PageRequest>();
