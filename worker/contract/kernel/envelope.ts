import type { ErrorCode } from "./errors.ts";

export interface SuccessAnswer<T> {
  code: "SUCCESS";
  data: T;
}

export interface FailureAnswer {
  code: ErrorCode;
  message: string;
  fields?: Record<string, string>;
  data?: Record<string, unknown>;
  requestId: string;
}

/** What went wrong on our side is asked about by its number, which the log holds. */
export const withRequestNumber = (message: string, requestId: string | undefined): string =>
  requestId ? `${message} (문의 번호 ${requestId})` : message;

export type Envelope<T> = SuccessAnswer<T> | FailureAnswer;

/** `page` counts from 1. */
export interface Page<T> {
  content: T[];
  page: number;
  size: number;
  totalElements: number;
  totalPages: number;
}

export function makePage<T>(content: T[], at: { page: number; size: number; totalElements: number }): Page<T> {
  return { content, ...at, totalPages: Math.max(1, Math.ceil(at.totalElements / at.size)) };
}

/** How many of those named were changed; the rest were not in a state for it. */
export interface BulkResult {
  changed: number;
}

/** What a change leaves: the version that the next one has to name. */
export interface NewVersion {
  version: number;
}

export interface Versioned<T> {
  value: T;
  version: number;
}

/** A row of the console as it lists them. */
export type ConsoleRowView<T> = T & { id: string; version: number };
