import { koreanDay } from "../kernel/korea.ts";
import { lookUp } from "../kernel/labels.ts";
import { SIZE_LIMITS } from "../kernel/limits.ts";
import { day, line, type ListedColumn, choice } from "../kernel/row.ts";
import type { UserType } from "../kernel/permissions.ts";
import { MEMBER_STATUS_NAMES, type MemberStatus, type UserKeyType } from "../account/rules.ts";

export const MEMBER_FILTERS = {
  keyword: line("검색어", {
    type: "search",
    placeholder: "이름, 아이디, 이메일, 소속",
    max: SIZE_LIMITS.keywordLength,
    isWide: true,
  }),
  status: choice("상태", MEMBER_STATUS_NAMES, undefined, { placeholder: "탈퇴 빼고 모두" }),
  roleCode: line("역할"),
  from: day("가입일부터"),
  to: day("가입일까지"),
  /** A sign-up field and a text that it contains. */
  profileCode: line("가입 항목", { placeholder: "모든 항목" }),
  profileValue: line("항목에 든 말", { max: SIZE_LIMITS.keywordLength }),
};

export interface MemberListRow {
  id: string;
  userName: string;
  userType: UserType;
  roleCode: string;
  roleName: string;
  status: MemberStatus;
  keys: { userKeyType: UserKeyType; userKeyCode: string; verified: boolean }[];
  createdDate: string;
  lastSigninDate: string | null;
  version: number;
  profile: Record<string, string>;
}

const keyColumn = (code: UserKeyType, label: string): ListedColumn<MemberListRow> => ({
  code,
  label,
  text: ({ keys }) => keys.find(({ userKeyType }) => userKeyType === code)?.userKeyCode ?? "",
});
const dayText = (date: string | null) => (date ? koreanDay(new Date(date)) : "");
export const MEMBER_COLUMNS: readonly ListedColumn<MemberListRow>[] = [
  { code: "userName", label: "이름", sort: "ASC", text: ({ userName }) => userName },
  keyColumn("Id", "아이디"),
  keyColumn("Email", "이메일"),
  { ...keyColumn("Mobile", "휴대전화"), isOptional: true },
  { code: "role", label: "역할", text: ({ roleName }) => roleName },
  { code: "status", label: "상태", text: ({ status }) => MEMBER_STATUS_NAMES[status] },
  { code: "createdDate", label: "가입일", sort: "DESC", text: ({ createdDate }) => dayText(createdDate) },
  { code: "lastSigninDate", label: "최근 로그인", sort: "DESC", text: (row) => dayText(row.lastSigninDate) },
];

/** The columns of the list and of its sheet, those of the sign-up's fields included. */
export const memberColumns = (fields: readonly { code: string; name: string }[]): ListedColumn<MemberListRow>[] => [
  ...MEMBER_COLUMNS,
  ...fields.map(({ code, name }) => ({
    code: `profile.${code}`,
    label: name,
    text: ({ profile }: MemberListRow) => lookUp(profile, code) ?? "",
    isOptional: true as const,
  })),
];
