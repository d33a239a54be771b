import { MEMBER_STATUS_NAMES } from "#worker/contract/member/status.ts";
import type { MemberFilter } from "./list.server.ts";

export function memberSegmentWords(
  filter: MemberFilter,
  roleName: string | null,
  profileName: string | null,
): string[] {
  const { keyword, status, roleCode, profileValue, from, to } = filter;
  const words = [
    ...(keyword ? [`검색어 ‘${keyword}’`] : []),
    ...(status ? [`상태 ‘${MEMBER_STATUS_NAMES[status]}’`] : []),
    ...(roleCode ? [`역할 ‘${roleName ?? roleCode}’`] : []),
    ...(from || to ? [`가입일 ${from ?? ""}~${to ?? ""}`] : []),
    ...(profileValue ? [`${profileName ?? "가입 항목"} ‘${profileValue}’`] : []),
  ];
  return words.length === 0 ? ["모든 회원"] : words;
}
