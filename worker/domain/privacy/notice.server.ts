import { sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { retentionNotice, user, userKey } from "#db/schema.ts";
import type { AppContext } from "#worker/context.server.ts";
import { INACTIVE_NOTICE_DAYS } from "#worker/contract/privacy.ts";
import { contactOf } from "../account/letters.server.ts";
import { queueLetter } from "../message.server.ts";

/** A letter each to those who have a verified address, and the record that they were told. */
export async function noticeStatements(ctx: AppContext, ids: readonly string[]) {
  const within = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const [people, keys] = await ctx.db.batch([
    ctx.db
      .select({ id: user.id, userName: user.userName })
      .from(user)
      .where(sql`${user.id} IN ${within}`),
    ctx.db
      .select()
      .from(userKey)
      .where(sql`${userKey.userId} IN ${within}`),
  ]);
  const letters = people.flatMap(({ id, userName }) => {
    const contact = contactOf(keys.filter((key) => key.userId === id));
    if (!contact) return [];
    return [
      queueLetter(ctx, {
        ...contact,
        subject: `오래 이용하지 않으신 계정이 ${INACTIVE_NOTICE_DAYS}일 뒤 파기됩니다`,
        text: `${userName} 님, 안녕하십니까.\n\n오랫동안 로그인하지 않으셔서, ${INACTIVE_NOTICE_DAYS}일 뒤 회원님의 정보(이름, 아이디, 이메일, 휴대전화번호와 회원정보에 적으신 내용)를 파기합니다.\n계속 이용하시려면 그 전에 한 번 로그인해 주십시오.${ctx.origin ? `\n${ctx.origin}/Account/Signin` : ""}`,
        userId: id,
      }),
    ];
  });
  const now = ctx.now();
  const statements: BatchItem<"sqlite">[] = [
    ctx.db.insert(retentionNotice).select(sql`SELECT value, ${now.getTime()} FROM json_each(${JSON.stringify(ids)})`),
    ...letters.map(({ statement }) => statement),
  ];
  return { statements, letterIds: letters.map(({ id }) => id) };
}
