import { sha256Base64Url } from "#worker/adapters/secrets.server.ts";
import { hasPermission } from "#worker/contract/kernel/permissions.ts";
import type { SharedRenderState } from "#worker/domain/kernel/context.ts";
import type { Actor, SignedInActor } from "#worker/domain/kernel/actor.ts";

const OFFICE_CODE = /_Manage$/;

export const isOrdinaryMember = (actor: Actor): actor is SignedInActor =>
  actor.kind === "member" &&
  !hasPermission(actor.permissions, "ADMIN_Access") &&
  !actor.secondFactor?.withheld &&
  ![...actor.permissions.codes].some((code) => OFFICE_CODE.test(code));

const cacheKeys = new Map<string, string>();
const CACHE_KEYS_MAX = 200;

/** Cache key shared by members who see the same on every impersonal page. */
export function memberCacheKey(
  actor: SignedInActor,
  state: Omit<SharedRenderState, "unread"> & { hasUnread: boolean },
): string {
  const { roleCode, roleName, permissions, lastingCodes, secondFactor } = actor;
  const factor = secondFactor ? [secondFactor.hasFactor, secondFactor.isRequired] : [];
  const codes = [[...permissions.codes], [...lastingCodes]];
  const text = JSON.stringify([roleCode, roleName, codes, factor, state]);
  const known = cacheKeys.get(text);
  if (known) return known;
  const cacheKey = sha256Base64Url(text);
  if (cacheKeys.size >= CACHE_KEYS_MAX) cacheKeys.clear();
  cacheKeys.set(text, cacheKey);
  return cacheKey;
}

/** An impersonal actor with the same rights; its name and id are placeholders. */
export const standInFor = (actor: SignedInActor, tokens: { userId: string; userName: string }): SignedInActor => ({
  ...actor,
  ...tokens,
  sessionId: "",
  ...(actor.secondFactor ? { secondFactor: { ...actor.secondFactor, provenDate: null } } : {}),
});

/** How long a page stays marked as personal. */
const OWN_MS = 50_000;
const OWN_MAX = 2000;
const ownPages = new Map<string, number>();

export function noteOwnPage(key: string): void {
  if (ownPages.size >= OWN_MAX) ownPages.clear();
  ownPages.set(key, Date.now() + OWN_MS);
}

export const isOwnPage = (key: string): boolean => (ownPages.get(key) ?? 0) > Date.now();
