import { eq, sql } from "drizzle-orm";
import { content } from "#db/schema/content.ts";
import type { AppContext, Parsed, RequestScope } from "#worker/domain/kernel/context.ts";
import { infoPageSettings, type updateInfoPagesInput } from "#worker/contract/content/input.ts";
import { DEFAULT_INFO_PAGES, type InfoPage, infoPath, isFirstPage } from "#worker/contract/content/info-pages.ts";
import { AppError, invalidInput, type NewVersion } from "#worker/contract/kernel/errors.ts";
import { authorizeConsole, authorizeSetting } from "#worker/domain/kernel/authorize.server.ts";
import { identityOf, inSiteWords } from "#worker/domain/kernel/site-identity.server.ts";
import { settingStatement, storeSetting } from "../kernel/setting.server.ts";

type Site = Pick<AppContext, "storedSettings">;

const parsed = new WeakMap<AppContext["storedSettings"], readonly InfoPage[]>();

export function infoPagesOf(ctx: Site): readonly InfoPage[] {
  const known = parsed.get(ctx.storedSettings);
  if (known) return known;
  const { pages } = infoPageSettings.parse(JSON.parse(ctx.storedSettings.pages ?? "{}"));
  const named = pages.map((page) => ({ ...page, label: inSiteWords(ctx, page.label) }));
  parsed.set(ctx.storedSettings, named);
  return named;
}

/** Patients are registered at a centre. */
const PAGES_OF_CENTERS = ["center", "target", "registration"];
const PAGES_OF_CASE_REPORT = ["residence", "registry"];

export function isWithout(ctx: Site, code: string): boolean {
  const { hasCenters, hasCaseReport } = identityOf(ctx);
  return (!hasCenters && PAGES_OF_CENTERS.includes(code)) || (!hasCaseReport && PAGES_OF_CASE_REPORT.includes(code));
}

/** A page below a hidden page is hidden, too. */
function isPageShown(ctx: Site, { code, isHidden, parent }: InfoPage): boolean {
  if (isHidden || isWithout(ctx, code)) return false;
  const above = infoPagesOf(ctx).find((page) => page.code === parent);
  return !above || isPageShown(ctx, above);
}

export const shownPagesOf = (ctx: Site): readonly InfoPage[] =>
  infoPagesOf(ctx).filter((page) => isPageShown(ctx, page));

export const shownPage = (ctx: Site, code: string): InfoPage | undefined =>
  infoPagesOf(ctx).find((page) => page.code === code && isPageShown(ctx, page));

/** Whether a stored link leads to a page that is shown, or to no information page at all. */
export function isLinkShown(ctx: Site & Pick<AppContext, "config">, href: string): boolean {
  const path = `${(href.split(/[?#]/)[0] ?? "").toLowerCase()}/`;
  return infoPagesOf(ctx).every(
    (page) =>
      isPageShown(ctx, page) || !path.startsWith(`${infoPath(ctx.config.PRODUCT_CODE, page.code).toLowerCase()}/`),
  );
}

/** @throws AppError NOT_FOUND for a hidden page */
export function requireShownPage(ctx: Site, code: string): InfoPage {
  const page = shownPage(ctx, code);
  if (page) return page;
  throw new AppError("NOT_FOUND", { message: "주소가 바뀌었거나 삭제된 페이지입니다. 주소를 다시 확인해 주십시오." });
}

export function parentsOf(ctx: Pick<AppContext, "storedSettings" | "config">, { parent }: InfoPage) {
  const above = shownPage(ctx, parent);
  return above ? [{ label: above.label, href: infoPath(ctx.config.PRODUCT_CODE, above.code) }] : [];
}

export async function getInfoPages(scope: RequestScope) {
  const { ctx, rows } = await scope.readFor(authorizeConsole, [
    settingStatement(scope.db, "pages"),
    scope.db.select({ code: content.code }).from(content),
  ]);
  const [[row], written] = rows;
  const product = ctx.config.PRODUCT_CODE;
  return {
    version: row?.version ?? 0,
    pages: infoPagesOf(ctx).map((page) => ({
      ...page,
      href: infoPath(product, page.code),
      isFirst: isFirstPage(page.code),
      hasText: written.some(({ code }) => code === page.code),
    })),
  };
}

/** @throws AppError INVALID_INPUT at `field` for a page with text that is missing in the list */
export async function requireWrittenPagesKept(
  ctx: AppContext,
  pages: Parsed<typeof updateInfoPagesInput>["pages"],
  field: string,
): Promise<void> {
  const codes = pages.map(({ code }) => code);
  const left = infoPagesOf(ctx).filter(({ code }) => !codes.includes(code));
  for (const { code, label } of left) {
    const [text] = await ctx.db
      .select({ one: sql`1` })
      .from(content)
      .where(eq(content.code, code));
    if (text) throw invalidInput({ [field]: `'${label}' 페이지에는 글이 있습니다. 빼지 말고 숨겨 주십시오.` });
  }
}

/**
 * Saves the list of pages; only pages without a text can be removed. @throws AppError CONFLICT, INVALID_INPUT for a
 * removed page with a text
 */
export async function updateInfoPages(
  ctx: AppContext,
  input: Parsed<typeof updateInfoPagesInput>,
): Promise<NewVersion> {
  authorizeSetting(ctx, "pages");
  await requireWrittenPagesKept(ctx, input.pages, "pages");
  return storeSetting(ctx, "pages", input.version, { pages: input.pages }, { pages: DEFAULT_INFO_PAGES });
}
