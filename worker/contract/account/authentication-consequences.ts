import { type AuthType, SIGNIN_KEY, type UserKeyType } from "./rules.ts";
import { USER_KEY_NAMES } from "../kernel/messages.ts";
import { formatCount, particleOf } from "../kernel/wording.ts";

interface WayIn {
  authType: AuthType;
  roleCodeForGuest: string;
  signupApproval: boolean;
}

export interface SigninKeyCounts {
  members: number;
  withKey: Partial<Record<UserKeyType, number>>;
}

export function authenticationConsequences(before: WayIn, after: WayIn, counts: SigninKeyCounts, roleName: string) {
  const key = SIGNIN_KEY[after.authType];
  const noun = USER_KEY_NAMES[key];
  const without = counts.members - (counts.withKey[key] ?? 0);
  return [
    ...(before.authType === after.authType
      ? []
      : [`저장하는 즉시 모든 회원이 ${noun}${particleOf(noun, "으로/로")} 로그인합니다.`]),
    ...(before.authType === after.authType || without <= 0
      ? []
      : [
          `회원 ${formatCount(without)}명은 ${noun}${particleOf(noun, "이/가")} 없어 로그인할 수 없게 됩니다. 먼저 등록하도록 안내해 주십시오.`,
        ]),
    ...(before.roleCodeForGuest === after.roleCodeForGuest
      ? []
      : [`로그인하지 않은 사람이 할 수 있는 일이 ‘${roleName}’ 역할의 권한으로 바뀝니다.`]),
    ...(before.signupApproval && !after.signupApproval
      ? ["앞으로 가입하는 사람은 승인 없이 바로 로그인할 수 있습니다."]
      : []),
  ];
}
