import { eq, sql } from "drizzle-orm";
import { verification } from "#db/schema/account.ts";
import { eventRegistration } from "#db/schema/event.ts";
import { sha256Base64Url } from "#worker/adapters/secrets.server.ts";
import { userNameProblem } from "#worker/contract/account/rules.ts";
import { EVENT_DESK, lastCancellation, REGISTRATION_MESSAGES } from "#worker/contract/event/event.ts";
import type { cancelRegistrationInput, changeAnswersInput, registerGuestInput } from "#worker/contract/event/input.ts";
import type { GuestRegistrationPage } from "#worker/contract/event/view.ts";
import { hasCommand, isEnded } from "#worker/contract/kernel/desk.ts";
import { AppError, invalidInput, type NewVersion } from "#worker/contract/kernel/errors.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";
import type { AppContext, Parsed, RequestScope } from "#worker/domain/kernel/context.ts";
import { readVerificationToken } from "../account/verification.server.ts";
import type { ItemPath } from "../board/view.server.ts";
import { conflict } from "../kernel/guarded-batch.server.ts";
import { settingStatement } from "../kernel/setting.server.ts";
import { DESK } from "./desk.server.ts";
import {
  canRead,
  eventOfCase,
  guestPath,
  linkedRegistration,
  registeredItem,
  requireEvent,
  summaryView,
} from "./event-item.server.ts";
import {
  cancelCase,
  changeCase,
  fieldsAsked,
  isCurrent,
  OWN_COLUMNS,
  ownView,
  takePlace,
} from "./registration.server.ts";

/** Names an address at an event, so that it registers once. */
const guestMark = ({ tokens }: AppContext, itemId: number, email: string) =>
  `guest-${tokens.hash("eventGuest", `${itemId}:${email}`)}`;

/**
 * By somebody without an account, whose address was confirmed. An address that is registered already gets the path of
 * that registration. @throws AppError as `register`, INVALID_INPUT without a proof
 */
export async function registerGuest(
  ctx: AppContext,
  path: ItemPath,
  sent: Parsed<typeof registerGuestInput>,
): Promise<{ path: string; status: string; isNew: boolean }> {
  const found = await requireEvent(ctx, path);
  const { userKeyToken, userName, language = "ko" } = sent;
  const unverified = invalidInput({ userKeyToken: UI_MESSAGES.emailUnverified });
  const sealed = await readVerificationToken(ctx, userKeyToken, "verified");
  if (sealed?.userKeyType !== "Email" || sealed.userId !== null) throw unverified;
  const misnamed = userNameProblem(userName, ctx.rules);
  if (misnamed) throw invalidInput({ userName: misnamed });
  const guestEmail = sealed.userKeyCode;
  const userId = guestMark(ctx, found.item.id, guestEmail);
  const tokenHash = sha256Base64Url(userKeyToken);
  const [[proof], [existing]] = await ctx.db.batch([
    ctx.db.select().from(verification).where(eq(verification.tokenHash, tokenHash)),
    ctx.db
      .select({ id: eventRegistration.id, status: eventRegistration.status })
      .from(eventRegistration)
      .where(
        sql`item_id = ${found.item.id} AND ${eventRegistration.userId} = ${userId} AND ${eventRegistration.status} <> 'cancelled'`,
      ),
  ]);
  if (!proof || proof.expiresDate <= ctx.now()) throw unverified;
  if (existing) return { path: guestPath(ctx, existing.id), status: existing.status, isNew: false };
  const answer = ({ id, status }: { id: string; status: string }) => ({
    path: guestPath(ctx, id),
    status,
    isNew: true,
  });
  const place = await takePlace(ctx, found, sent, {
    person: { userId, guestName: userName, guestEmail, language },
    guards: [
      {
        holds: isCurrent(found, sql`event.takes_guests = 1`),
        error: () => new AppError("FORBIDDEN", { message: REGISTRATION_MESSAGES.signIn }),
      },
      {
        holds: sql`EXISTS (SELECT 1 FROM verification WHERE token_hash = ${tokenHash} AND purpose = 'verified' AND used_date IS NULL)`,
        error: () => unverified,
      },
    ],
    answer,
    parts: [ctx.db.update(verification).set({ usedDate: ctx.now() }).where(eq(verification.tokenHash, tokenHash))],
  });
  return answer(place);
}

const linkNotFound = () => new AppError("NOT_FOUND", { message: REGISTRATION_MESSAGES.forgedLink });

/** The registration of a link, which authorises it alone. @throws AppError NOT_FOUND */
async function requireLink({ db, tokens }: AppContext, token: string) {
  const id = linkedRegistration({ tokens }, token);
  const [row] = await db
    .select(OWN_COLUMNS)
    .from(eventRegistration)
    .where(sql`${eventRegistration.id} = ${id} AND ${eventRegistration.guestEmail} <> ''`);
  if (!row) throw linkNotFound();
  return row;
}

/** @throws AppError NOT_FOUND, CONFLICT */
async function requireLinkFor(ctx: AppContext, token: string, command: "change" | "cancel") {
  const { registration } = await requireLink(ctx, token);
  const { status } = registration;
  if (!hasCommand(EVENT_DESK, command, status)) throw conflict(isEnded(EVENT_DESK, status) ? DESK.ended : undefined);
  return registration;
}

/** @throws AppError NOT_FOUND */
export async function getGuestRegistration(scope: RequestScope, token: string): Promise<GuestRegistrationPage> {
  const ctx = await scope.context();
  const row = await requireLink(ctx, token);
  const found = await eventOfCase(ctx, row.registration);
  const item = registeredItem(ctx, found);
  const [site] = await settingStatement(ctx.db, "site");
  return {
    ...summaryView(ctx, found),
    // As on a member's own page, without the title of an item that is hidden since.
    item: canRead(ctx, found) ? item : { ...item, title: "", event: null },
    questions: fieldsAsked(found),
    questionsVersion: found.event.questionsVersion,
    cancelUntil: lastCancellation(found.event).toISOString(),
    userName: row.registration.guestName,
    mine: ownView(ctx, found, row, site),
  };
}

/** @throws AppError as `changeAnswers` */
export async function changeGuestAnswers(
  ctx: AppContext,
  token: string,
  sent: Parsed<typeof changeAnswersInput>,
): Promise<NewVersion> {
  return changeCase(ctx, await requireLinkFor(ctx, token, "change"), sent);
}

/** @throws AppError as `cancelRegistration` */
export async function cancelGuestRegistration(
  ctx: AppContext,
  token: string,
  sent: Parsed<typeof cancelRegistrationInput>,
): Promise<NewVersion> {
  return cancelCase(ctx, await requireLinkFor(ctx, token, "cancel"), sent);
}
