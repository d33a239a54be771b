import { withParticle } from "../kernel/particles.ts";

/** Sign-up stays closed without these texts. */
export const SIGNUP_TEXTS = { terms: "이용약관", privacy: "개인정보 처리방침" } as const;

export type SignupText = keyof typeof SIGNUP_TEXTS;

export function signupClosedMessage(missing: readonly SignupText[]): string | null {
  if (missing.length === 0) return null;
  const names = missing.map((code) => SIGNUP_TEXTS[code]).join(", ");
  return `아직 회원가입을 받지 않습니다. ${withParticle(names, "을/를")} 준비하고 있습니다.`;
}
