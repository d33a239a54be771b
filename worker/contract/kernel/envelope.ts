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

/** Adds the request id, by which the log entry is found. */
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

/** The rest was not in a state that allows the change. */
export interface BulkResult {
  changed: number;
}

/** The version for the next change's optimistic lock. */
export interface NewVersion {
  version: number;
}

export interface Versioned<T> {
  value: T;
  version: number;
}
