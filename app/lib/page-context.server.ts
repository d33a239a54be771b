import { createContext } from "react-router";
import type { RequestScope } from "#worker/domain/kernel/context.ts";

export interface PageRequest {
  scope: RequestScope;
  requestId: string;
  nonce: string;
  /** Keys of the page's contents if the page may be cached, otherwise null. */
  shows: readonly string[] | null;
  /** Times at which the page changes without a database write. */
  changes: Promise<number>[];
}

export const pageRequest = createContext<PageRequest>();
