import { eq } from "drizzle-orm";
import { user } from "#db/schema/account.ts";
import { role } from "#db/schema/access.ts";
import type { ParsedAlumniSelection } from "#worker/contract/alumni/input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { AppContext, BatchStatement } from "#worker/domain/kernel/context.ts";
import { administratorAddressesStatement } from "../access/account-authority.server.ts";
import { absentActor, permissionsAt } from "../access/actor.server.ts";
import { requireSegment } from "../alumni/segment.server.ts";
import { queueMessage } from "../mail/message.server.ts";
import { authorizeMailing } from "./mailing.server.ts";
import type { Mailing } from "./people.server.ts";

/** Null while the round's officer may still ask these people, otherwise the reason to stop. */
export async function stopReason(
  ctx: AppContext,
  { target, createdUserId }: Pick<Mailing, "target" | "createdUserId">,
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
  if (!officer || officer.status !== "active") return "시작한 담당자의 계정을 더 쓰지 않습니다.";
  const asked = { ...ctx, actor: absentActor(officer) };
  try {
    authorizeMailing(asked, "alumni", target);
    if ("filter" in target) requireSegment(asked, target as ParsedAlumniSelection, { path: "target" });
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "INVALID_INPUT") return error.message;
    if (error.code === "FORBIDDEN") return "시작한 담당자에게 이 사람들에게 보낼 권한이 더는 없습니다.";
    throw error;
  }
}

/** Messages to the administrators for the batch that stops the round. */
export async function stopNotices(ctx: AppContext, reason: string): Promise<BatchStatement[]> {
  const text = [
    "되풀이하던 정보 확인 요청을 멈추었습니다. 아무에게도 보내지 않았습니다.",
    `사유: ${reason}`,
    "조건을 확인하고 새로 시작해 주십시오.",
    `${ctx.config.SITE_ORIGIN}/Admin/Round`,
  ].join("\n\n");
  const rows = await administratorAddressesStatement(ctx);
  return rows.map(
    ({ address }) =>
      queueMessage(ctx, {
        channel: "email",
        recipient: address,
        subject: "정보 확인 요청을 멈추었습니다",
        text,
        about: [],
      }).statement,
  );
}
