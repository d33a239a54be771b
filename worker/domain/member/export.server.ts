import { ownValue } from "#worker/contract/kernel/labels.ts";
import { asc } from "drizzle-orm";
import { profileField, user } from "#db/schema/account.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import type { ExportMembersInput } from "#worker/contract/member/input.ts";
import { koreanDay } from "#worker/contract/kernel/korea.ts";
import { MEMBER_STATUS_NAMES } from "#worker/contract/member/status.ts";
import { requireSignedIn } from "../kernel/authorize.server.ts";
import { auditPeople } from "../kernel/audit-entry.server.ts";
import { countLimits } from "../kernel/limit.server.ts";
import { authorizeConsole } from "../kernel/guarded-batch.server.ts";
import { type SheetDownload, sheetDownload } from "../kernel/sheet-download.server.ts";
import { membersStatement, memberRowView, memberWhere, profileValueText } from "./list.server.ts";

const EXPORT_MAX = 50_000;

export async function exportMembers(ctx: AppContext, input: ExportMembersInput): Promise<SheetDownload> {
  authorizeConsole(ctx);
  await countLimits(ctx, ["exportDay", requireSignedIn(ctx).userId]);
  const [rows, fields] = await ctx.db.batch([
    membersStatement(ctx.db).where(memberWhere(input.filter)).orderBy(user.createdDate).limit(EXPORT_MAX),
    ctx.db.select().from(profileField).orderBy(asc(profileField.sortOrder)),
  ]);
  const { keyword, ...filter } = input.filter;
  const { reason, format } = input;
  const detail = { filter: { ...filter, withKeyword: Boolean(keyword) }, format };
  await ctx.db.batch(auditPeople(ctx, { action: "member.export", targetType: "export", reason, detail }, rows));
  const header = ["이름", "아이디", "이메일", "휴대전화", "역할", "상태", "가입일", "최근 로그인"];
  const lineOf = (row: (typeof rows)[number]) => {
    const view = memberRowView(row);
    const key = (type: string) => view.keys.find(({ userKeyType }) => userKeyType === type)?.userKeyCode ?? "";
    const own = [
      view.userName,
      key("Id"),
      key("Email"),
      key("Mobile"),
      view.roleName,
      MEMBER_STATUS_NAMES[view.status],
    ];
    const dates = [view.createdDate, view.lastSigninDate].map((date) => (date ? koreanDay(new Date(date)) : ""));
    return [...own, ...dates, ...fields.map(({ code }) => profileValueText(ownValue(row.profile, code)))];
  };
  const titles = [...header, ...fields.map(({ name }) => name)];
  return sheetDownload(ctx, input.format, "회원목록", titles, rows, lineOf);
}
