import { sha256Base64Url } from "#worker/adapters/secrets.server.ts";
import { hasPermission } from "#worker/contract/kernel/permissions.ts";
import type { StandInState } from "#worker/domain/kernel/context.ts";
import type { Actor, SignedInActor } from "#worker/domain/kernel/actor.ts";

/** Who does the work of the office gets every page rendered: theirs show what nobody else is shown. */
const OFFICE_CODE = /_Manage$/;

/** Whether a page may be shared with others of the same rights. */
export const isOrdinaryMember = (actor: Actor): actor is SignedInActor =>
  actor.kind === "member" &&
  !hasPermission(actor.permissions, "ADMIN_Access") &&
  !actor.secondFactor?.withheld &&
  ![...actor.permissions.codes].some((code) => OFFICE_CODE.test(code));

/** So few that each is hashed once. */
const audiences = new Map<string, string>();
const AUDIENCES_MAX = 200;

/** Alike for members who are shown the same of every page on which none has anything of their own. */
export function audienceOf(actor: SignedInActor, state: StandInState): string {
  const { roleCode, roleName, permissions, lastingCodes, secondFactor } = actor;
  const factor = secondFactor ? [secondFactor.hasFactor, secondFactor.isRequired] : [];
  const codes = [[...permissions.codes], [...lastingCodes]];
  const text = JSON.stringify([roleCode, roleName, codes, factor, state]);
  const known = audiences.get(text);
  if (known) return known;
  const audience = sha256Base64Url(text);
  if (audiences.size >= AUDIENCES_MAX) audiences.clear();
  audiences.set(text, audience);
  return audience;
}

/** Nobody, with an actor's rights: who owns nothing and has done nothing, and whose name and id are the tokens. */
export const standInFor = (actor: SignedInActor, tokens: { userId: string; userName: string }): SignedInActor => ({
  ...actor,
  ...tokens,
  sessionId: "",
  ...(actor.secondFactor ? { secondFactor: { ...actor.secondFactor, provenDate: null } } : {}),
});

/** What was asked for a moment ago by members: only then it may be worth more than one reader's rendering. */
const RECENT_MS = 50_000;
const RECENT_MAX = 2000;
const recent = new Map<string, number>();

export function noteRecent(key: string): void {
  if (recent.size >= RECENT_MAX) recent.clear();
  recent.set(key, Date.now() + RECENT_MS);
}

export const isRecent = (key: string): boolean => (recent.get(key) ?? 0) > Date.now();
