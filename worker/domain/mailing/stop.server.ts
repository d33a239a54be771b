import { eq } from "drizzle-orm";
import { user } from "#db/schema/account.ts";
import { role } from "#db/schema/access.ts";
import type { AlumniFilter } from "#worker/contract/alumni/conditions.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { administratorAddressesStatement } from "../access/account-authority.server.ts";
import { absentActor, permissionsAt } from "../access/actor.server.ts";
import { bookForCaller } from "../alumni/filter.server.ts";
import { requireUsableFilter } from "../alumni/segment.server.ts";
import { queueMessage } from "../mail/message.server.ts";
import { authorizeMailing } from "./mailing.server.ts";
import type { Mailing } from "./people.server.ts";
import type { QueuedLetter } from "../kernel/guarded-batch.server.ts";

const conditionsOf = (target: Mailing["target"]) =>
  (("filter" in target ? target.filter : "asked" in target && target.asked) || {}) as AlumniFilter;

/** Null while the officer of a round or mailing may still ask these people, otherwise the reason to stop. */
export async function stopReason(
  ctx: AppContext,
  { source, target, createdUserId }: Pick<Mailing, "source" | "target" | "createdUserId">,
): Promise<string | null> {
  const [officer] = await ctx.db
    .select({
      id: user.id,
      userName: user.userName,
      userType: user.userType,
      status: user.status,
      roleCode: user.roleCode,
      roleName: role.roleName,
      permissions: permissionsAt(ctx.now()),
    })
    .from(user)
    .innerJoin(role, eq(role.roleCode, user.roleCode))
    .where(eq(user.id, createdUserId ?? ""));
  if (!officer || officer.status !== "active") return "담당자의 계정을 더 쓰지 않습니다.";
  const asked = { ...ctx, actor: absentActor(officer) };
  try {
    authorizeMailing(asked, source, target);
    if (source === "alumni") requireUsableFilter(bookForCaller(asked), conditionsOf(target), "target.filter");
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "INVALID_INPUT") return error.message;
    if (error.code === "FORBIDDEN") return "담당자에게 이 사람들에게 보낼 권한이 더는 없습니다.";
    throw error;
  }
}

interface Stopped {
  subject: string;
  what: string;
  reason: string;
  path: string;
}

/** Messages to the administrators for the batch that stops a round or a mailing. */
export async function stopNotices(ctx: AppContext, { subject, what, reason, path }: Stopped): Promise<QueuedLetter[]> {
  const text = [what, `사유: ${reason}`, "확인하고 새로 시작해 주십시오.", `${ctx.config.SITE_ORIGIN}${path}`].join(
    "\n\n",
  );
  const rows = await administratorAddressesStatement(ctx);
  return rows.map(({ address }) =>
    queueMessage(ctx, { channel: "email", recipient: address, subject, text, about: [] }),
  );
}
