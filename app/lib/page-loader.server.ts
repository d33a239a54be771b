import { data, type LoaderFunctionArgs, redirect } from "react-router";
import type { z } from "zod";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { BRIEF_MS } from "#worker/contract/kernel/limits.ts";
import { languageOf } from "#worker/contract/kernel/language.ts";
import { secondFactorReasonOf } from "#worker/contract/kernel/second-factor.ts";
import { returningPath, secondFactorPathFor, signinPathFor } from "./return-url.ts";
import { logError } from "#worker/log.ts";
import { readNextChange } from "#worker/domain/site/next-change.server.ts";
import { pageRequest } from "./page-context.server.ts";

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
    if (shows && changes.length === 0) changes.push(readNextChange(scope, shows).catch(() => Date.now() + BRIEF_MS));
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
