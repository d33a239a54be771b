import { createContext, data, type LoaderFunctionArgs, redirect } from "react-router";
import type { z } from "zod";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { Page } from "#worker/contract/kernel/page.ts";
import { BRIEF_MS } from "#worker/contract/kernel/limits.ts";
import { languageOf } from "#worker/contract/kernel/language.ts";
import { secondFactorReasonOf } from "#worker/contract/kernel/second-factor.ts";
import { returningPath, secondFactorPathFor, signinPathFor } from "./return-url.ts";
import { logError } from "#worker/log.ts";
import { readNextChange } from "#worker/domain/site/next-change.server.ts";
import { fieldErrors, parseInput } from "#worker/contract/kernel/parse-input.ts";

interface PageFailure {
  code: string;
  message: string;
  requestId: string;
}

/** Parses a page's path parameters. @throws AppError NOT_FOUND for invalid ones */
export function readPagePath<S extends z.ZodType>(schema: S, params: unknown, message?: string): z.output<S> {
  const path = schema.safeParse(params);
  if (!path.success) throw new AppError("NOT_FOUND", message === undefined ? {} : { message });
  return path.data;
}

/** Turns an AppError into a redirect to sign-in or an error page with its status. */
export function pageLoader<A extends LoaderFunctionArgs, T>(
  load: (scope: RequestScope, args: A) => Promise<T>,
): (args: A) => Promise<T> {
  return async ({ ...args }) => {
    // Data requests have another URL; loaders and redirects need the page's own.
    if (args.url.href !== args.request.url) args.request = new Request(args.url, args.request);
    const { scope, requestId, shows, changes } = args.context.get(pageRequest);
    // Runs in the loaders' round trip; only the first loader asks.
    if (shows && changes.length === 0)
      changes.push(readNextChange(scope, shows, args.params.itemNo).catch(() => Date.now() + BRIEF_MS));
    try {
      return await load(scope, args);
    } catch (error) {
      if (error instanceof Response) throw error;
      const { pathname, search } = new URL(args.request.url);
      const language = languageOf(pathname);
      const known = error instanceof AppError ? error : new AppError("INTERNAL_ERROR", { cause: error });
      if (known.code === "UNAUTHORIZED") throw redirect(signinPathFor(pathname + search, language));
      const reason = secondFactorReasonOf(known.data);
      if (reason === "SECOND_FACTOR_SETUP") throw redirect(returningPath("/Mypage/Security", pathname + search));
      if (reason) throw redirect(secondFactorPathFor(pathname + search, language));
      if (known.status >= 500) logError({ requestId, path: pathname, code: known.code, cause: known.cause });
      const failure: PageFailure = { code: known.code, message: known.message, requestId };
      throw data(failure, { status: known.status });
    }
  };
}

/** @param check throws if the caller may not see the page */
export const checkedLoader = (check: (ctx: AppContext) => unknown) =>
  pageLoader(async (scope, _args: LoaderFunctionArgs) => {
    check(await scope.context());
    return null;
  });

/** Limits how long the page may be cached even without a database write. */
export function keepFor({ context }: Pick<LoaderFunctionArgs, "context">, ms: number): void {
  context.get(pageRequest).changes.push(Promise.resolve(Date.now() + ms));
}

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

/** Reports invalid values in `problems` and lists nothing then. A page beyond the end becomes the last one. */
export async function loadSearchedList<S extends z.ZodType, P extends Page<unknown>>(
  request: Request,
  schema: S,
  list: (query: z.output<S>) => Promise<P>,
): Promise<P & { problems: Record<string, string> }> {
  const { pathname, searchParams } = new URL(request.url);
  const asked: Record<string, string> = Object.fromEntries(searchParams);
  const first = schema.safeParse(asked);
  const wrong = first.success ? {} : fieldErrors(first.error);
  const kept = Object.fromEntries(Object.entries(asked).filter(([name]) => !Object.hasOwn(wrong, name)));
  const found = await list(first.success ? first.data : parseInput(schema, kept));
  if (found.page > found.totalPages) {
    searchParams.set("page", String(found.totalPages));
    throw redirect(`${pathname}?${searchParams}`);
  }
  // An invalid page or sort is not reported as a form error.
  const { page: _page, size: _size, sort: _sort, ...problems } = wrong;
  if (Object.keys(problems).length === 0) return { ...found, problems };
  return { ...found, content: [], totalElements: 0, totalPages: 1, page: 1, problems };
}

export const searchedListLoader = <S extends z.ZodType, P extends Page<unknown>>(
  schema: S,
  list: (scope: RequestScope, query: z.output<S>) => Promise<P>,
) =>
  pageLoader(async (scope, { request }: LoaderFunctionArgs) =>
    loadSearchedList(request, schema, (query) => list(scope, query)),
  );
