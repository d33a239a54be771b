import { asc, inArray, sql } from "drizzle-orm";
import { board } from "#db/schema/board.ts";
import { siteSetting } from "#db/schema/kernel.ts";
import { unchanged } from "#db/sql.ts";
import { cleanPicture } from "#worker/adapters/picture-metadata/clean.server.ts";
import { sha256Base64Url } from "#worker/adapters/secrets.server.ts";
import type { AppContext, RequestScope } from "#worker/domain/kernel/context.ts";
import {
  type LogoDocument,
  logoDocument,
  type UpdateIdentityInput,
  type UpdateLogoInput,
} from "#worker/contract/site/identity-input.ts";
import { initialOf } from "#worker/contract/site/initial-mark.ts";
import { shadeOf } from "#worker/contract/kernel/setting/palette.ts";
import { identitySettings, siteSettings } from "#worker/contract/kernel/setting/site-setting.ts";
import { LOGO_NAMES, LOGO_PIXELS, type LogoName } from "#worker/contract/site/rules.ts";
import { PRODUCT_WORD_NAMES } from "#worker/contract/kernel/wording.ts";
import { AppError, invalidInput, type NewVersion } from "#worker/contract/kernel/errors.ts";
import { audit } from "../kernel/audit-entry.server.ts";
import { conflict, runGuardedBatch } from "../kernel/guarded-batch.server.ts";
import { authorizeConsole, authorizeSetting } from "#worker/domain/kernel/authorize.server.ts";
import { identityOf } from "#worker/domain/kernel/site-identity.server.ts";
import { settingStatement, storeSetting } from "../kernel/setting.server.ts";
import { linkProblem } from "./link.server.ts";

export async function getIdentitySetting(scope: RequestScope) {
  const { rows } = await scope.readFor(authorizeConsole, [
    settingStatement(scope.db, "identity"),
    scope.db
      .select({ version: siteSetting.version })
      .from(siteSetting)
      .where(sql`${siteSetting.key} = 'logo'`),
    scope.db
      .select({ boardCode: board.boardCode, boardName: board.boardName })
      .from(board)
      .orderBy(asc(board.sortOrder)),
  ]);
  const [[row], [logo], boards] = rows;
  return {
    value: identitySettings.parse(row?.value ?? {}),
    version: row?.version ?? 0,
    logoVersion: logo?.version ?? 0,
    boards,
  };
}

/** @throws AppError CONFLICT, INVALID_INPUT for a dead link or a missing board */
export async function updateIdentity(ctx: AppContext, input: UpdateIdentityInput): Promise<NewVersion> {
  authorizeSetting(ctx, "identity");
  const { version, ...value } = input;
  await checkIdentityLinks(ctx, value);
  // Fills empty words, because the document is merged and would keep old ones.
  const words = Object.fromEntries(PRODUCT_WORD_NAMES.map((name) => [name, value.words[name] ?? ""]));
  return storeSetting(ctx, "identity", version, { ...value, words }, identityOf(ctx));
}

/** @throws AppError INVALID_INPUT at the wrong field */
async function checkIdentityLinks(ctx: AppContext, value: Omit<UpdateIdentityInput, "version">): Promise<void> {
  const problems: Record<string, string> = {};
  for (const name of ["actions", "footerLinks"] as const) {
    for (const [at, { href }] of (value[name] ?? []).entries()) {
      const problem = await linkProblem(ctx, href);
      if (problem) problems[`${name}.${at}.href`] = problem;
    }
  }
  const boards = await ctx.db.select({ boardCode: board.boardCode }).from(board);
  if (value.homeBoards.some((code) => !boards.some(({ boardCode }) => boardCode === code)))
    problems["homeBoards"] = "없는 게시판이 들어 있습니다.";
  if (Object.keys(problems).length > 0) throw invalidInput(problems);
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/** @throws AppError INVALID_INPUT unless it is a PNG of the right size */
function cleanedLogo(pictures: LogoDocument): LogoDocument {
  const problems: Record<string, string> = {};
  const cleaned = { ...pictures };
  for (const name of LOGO_NAMES) {
    if (pictures[name] === "" && name === "dark") continue;
    let picture: ReturnType<typeof cleanPicture> = null;
    try {
      picture = cleanPicture("logo.png", bytesOf(pictures[name]));
    } catch {}
    const { width, height } = LOGO_PIXELS[name];
    if (!picture || picture.width > width || picture.height > height) {
      problems[`pictures.${name}`] = "PNG 그림이 아니거나 너무 큽니다. 그림을 다시 골라 주십시오.";
    } else {
      let text = "";
      for (const byte of picture.bytes) text += String.fromCharCode(byte);
      cleaned[name] = btoa(text);
    }
  }
  if (Object.keys(problems).length > 0) throw invalidInput(problems);
  return cleaned;
}

export function storeLogoStatements(ctx: AppContext, pictures: LogoDocument | null) {
  const value = pictures ? cleanedLogo(pictures) : null;
  const logo = value ? sha256Base64Url(JSON.stringify(value)).slice(0, 12) : "";
  const modifiedDate = ctx.now();
  const store = (key: "logo" | "identity", stored: object, merged: boolean) =>
    ctx.db
      .insert(siteSetting)
      .values({ key, value: stored, modifiedDate })
      .onConflictDoUpdate({
        target: siteSetting.key,
        set: {
          value: merged ? sql`json_patch(${siteSetting.value}, ${JSON.stringify(stored)})` : stored,
          version: sql`${siteSetting.version} + 1`,
          modifiedDate,
        },
      });
  return [store("logo", value ?? {}, false), store("identity", { logo }, true)];
}

export async function updateLogo(ctx: AppContext, { pictures, version }: UpdateLogoInput): Promise<NewVersion> {
  authorizeSetting(ctx, "logo");
  await runGuardedBatch(ctx, { holds: unchanged(siteSetting, "logo", version), error: () => conflict() }, [
    ...storeLogoStatements(ctx, pictures),
    audit(ctx, {
      action: "setting.change",
      targetId: "logo",
      detail: { after: { logo: pictures ? "바꿈" : "뺌" } },
    }),
  ]);
  return { version: version + 1 };
}

/** Falls back to the first letter of the society's name; public. @throws AppError NOT_FOUND */
export async function getLogoPicture(scope: RequestScope, name: LogoName) {
  const { ctx, rows } = await scope.read([
    scope.db
      .select()
      .from(siteSetting)
      .where(inArray(siteSetting.key, ["logo", "site"])),
  ]);
  const valueOf = (key: string) => rows[0].find((row) => row.key === key)?.value;
  const stored = logoDocument.safeParse(valueOf("logo")).data;
  const picture = stored?.[name] || (name === "dark" ? stored?.light : undefined);
  if (picture) return { contentType: "image/png", body: bytesOf(picture) };
  if (name !== "icon") throw new AppError("NOT_FOUND", { message: "그림이 없습니다." });
  const { siteName } = siteSettings.parse(valueOf("site") ?? {});
  return { contentType: "image/svg+xml", body: initialMark(siteName, shadeOf(identityOf(ctx).color, 60)) };
}

/** As a separate file, which the page's style sheet cannot reach. */
const initialMark = (siteName: string, color: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="192" height="192"><rect width="40" height="40" rx="9" fill="${color}"/><text x="20" y="20.5" fill="#fff" font-family="sans-serif" font-size="22" font-weight="700" text-anchor="middle" dominant-baseline="central">${initialOf(siteName)}</text></svg>`;
