import { AppError } from "#worker/contract/kernel/errors.ts";
import type { Language } from "#worker/contract/kernel/language.ts";
import { identitySettings, type IdentitySettings } from "#worker/contract/kernel/setting/site-setting.ts";
import { fillWords } from "#worker/contract/kernel/wording.ts";
import type { AppContext } from "./context.ts";

type StoredSettings = Pick<AppContext, "storedSettings">;

const parsed = new WeakMap<AppContext["storedSettings"], IdentitySettings>();

export function identityOf({ storedSettings }: StoredSettings): IdentitySettings {
  const known = parsed.get(storedSettings);
  if (known) return known;
  const settings = identitySettings.parse(JSON.parse(storedSettings.identity ?? "{}"));
  parsed.set(storedSettings, settings);
  return settings;
}

export const inSiteWords = (ctx: StoredSettings, text: string): string => fillWords(identityOf(ctx).words, text);

const notHere = () =>
  new AppError("NOT_FOUND", { message: "주소가 바뀌었거나 삭제된 페이지입니다. 주소를 다시 확인해 주십시오." });

export const hasEnglishSite = (ctx: StoredSettings): boolean => identityOf(ctx).english.siteName !== "";

/** @throws AppError NOT_FOUND for an English address of a site without an English name */
export function requireLanguage(ctx: StoredSettings, language: Language): void {
  if (language === "en" && !hasEnglishSite(ctx)) throw notHere();
}

/** @throws AppError NOT_FOUND on a site without centres */
export function requireCenters(ctx: StoredSettings): void {
  if (!identityOf(ctx).hasCenters) throw notHere();
}

/** @throws AppError NOT_FOUND on a site without the linked service */
export function requireCaseReport(ctx: StoredSettings): void {
  if (!identityOf(ctx).hasCaseReport) throw notHere();
}

/** @throws AppError NOT_FOUND on a site that takes no proposals */
export function requireProposals(ctx: StoredSettings): void {
  if (!identityOf(ctx).hasProposals) throw notHere();
}
