import { type LoaderFunctionArgs, redirect } from "react-router";
import type { z } from "zod";
import type { Page } from "#worker/contract/kernel/envelope.ts";
import { fieldErrors, parseInput } from "#worker/contract/kernel/parse-input.ts";
import type { RequestScope } from "#worker/domain/kernel/context.ts";
import { pageLoader } from "./page-loader.server.ts";

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
