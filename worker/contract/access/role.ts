import type { SitePermission } from "../kernel/permissions.ts";
import { formatCount } from "#worker/contract/kernel/wording.ts";

export const ROLE_NAME_MAX = 30;

interface RightsChange {
  roleName: string;
  isGuest: boolean;
  userCount?: number;
  before: readonly string[];
  after: readonly string[];
}

const NAMES_SHOWN = 4;
const CONSOLE: SitePermission = "ADMIN_Access";

/** Consequences that remove access or open the console. */
export function roleConsequences(change: RightsChange, labelOf: (code: string) => string): string[] {
  const { roleName, isGuest, userCount, before, after } = change;
  if (!isGuest && userCount === 0) return [];
  const people = userCount === undefined ? "사람" : `${formatCount(userCount)}명`;
  const who = isGuest ? "로그인하지 않은 사람은" : `‘${roleName}’ 역할인 ${people}은`;
  const taken = before.filter((code) => !after.includes(code)).map(labelOf);
  const more = taken.length > NAMES_SHOWN ? ` 외 ${taken.length - NAMES_SHOWN}가지` : "";
  return [
    ...(taken.length > 0 ? [`${who} 다음을 할 수 없게 됩니다: ${taken.slice(0, NAMES_SHOWN).join(", ")}${more}`] : []),
    ...(after.includes(CONSOLE) && !before.includes(CONSOLE) ? [`${who} 관리 화면에 들어올 수 있게 됩니다.`] : []),
  ];
}
