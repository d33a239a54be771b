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
