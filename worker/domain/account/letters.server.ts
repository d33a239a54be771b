import { sql } from "drizzle-orm";
import { userKey } from "#db/schema.ts";
import type { AppContext } from "#worker/context.server.ts";
import type { UserKeyType } from "#worker/contract/user-rules.ts";
import { type Letter, queueLetter } from "../message.server.ts";

type Key = Pick<typeof userKey.$inferSelect, "userKeyType" | "userKeyCode" | "verifiedDate">;

/** Where a person is reached: the verified e-mail, else the verified mobile. */
export function contactOf(keys: readonly Key[]): Pick<Letter, "channel" | "recipient"> | null {
  const verified = (type: UserKeyType) => keys.find((key) => key.userKeyType === type && key.verifiedDate);
  const email = verified("Email");
  if (email) return { channel: "email", recipient: email.userKeyCode };
  const mobile = verified("Mobile");
  return mobile ? { channel: "sms", recipient: mobile.userKeyCode } : null;
}

export function keysStatement(ctx: Pick<AppContext, "db">, userId: string) {
  return ctx.db
    .select()
    .from(userKey)
    .where(sql`${userKey.userId} = ${userId}`);
}

/** A letter to the owner of an account, for the batch of the change it tells of; nothing without a verified address. */
export function ownersLetter(ctx: AppContext, userId: string, keys: readonly Key[], text: LetterText) {
  const contact = contactOf(keys);
  return contact ? queueLetter(ctx, { ...contact, ...text, userId }) : null;
}

export type LetterText = Pick<Letter, "subject" | "text">;

const NOT_YOU =
  "본인이 하신 일이 아니라면 즉시 비밀번호를 재설정하시고 관리자에게 알려 주십시오.\n비밀번호는 사이트의 '비밀번호 찾기'에서 재설정하실 수 있습니다.";

export const LETTERS = {
  passwordChanged: {
    subject: "비밀번호가 변경되었습니다",
    text: `회원님의 비밀번호가 변경되어 다른 기기의 로그인이 모두 해제되었습니다.\n\n${NOT_YOU}`,
  },
  passwordReset: {
    subject: "비밀번호가 재설정되었습니다",
    text: `회원님의 비밀번호가 재설정되어 모든 기기의 로그인이 해제되었습니다.\n\n${NOT_YOU}`,
  },
  signinFailures: {
    subject: "로그인 실패가 여러 번 있었습니다",
    text: `회원님의 계정으로 로그인하려는 시도가 여러 번 실패하였습니다. 로그인은 잠시 제한될 수 있습니다.\n\n${NOT_YOU}`,
  },
  sessionStolen: {
    subject: "로그인이 해제되었습니다",
    text: `이미 사용된 로그인 정보가 다시 제출되어, 안전을 위해 해당 기기의 로그인을 해제하였습니다. 다시 로그인해 주십시오.\n\n${NOT_YOU}`,
  },
  alreadyMember: {
    subject: "이미 가입된 주소입니다",
    text: "이 주소는 이미 가입되어 있습니다.\n\n아이디나 비밀번호를 잊으셨다면 사이트의 '아이디 찾기'와 '비밀번호 찾기'를 이용해 주십시오.\n가입을 시도하신 적이 없다면 이 메시지를 무시해 주십시오.",
  },
} as const satisfies Record<string, LetterText>;

export function userKeyChangedLetter(name: string): LetterText {
  return {
    subject: `${name} 정보가 변경되었습니다`,
    text: `회원님의 계정에 등록된 ${name} 정보가 새 것으로 변경되었습니다. 이제 이 주소로는 계정을 이용하실 수 없습니다.\n\n${NOT_YOU}`,
  };
}

export function foundIdsLetter(ids: string[]): LetterText {
  return {
    subject: "아이디를 알려 드립니다",
    text: `회원님의 아이디는 아래와 같습니다.\n\n${ids.join("\n")}\n\n요청하신 적이 없다면 이 메시지를 무시해 주십시오.`,
  };
}

/** An SMS holds 90 bytes; a longer one costs several times as much. */
export function codeLetter(channel: "email" | "sms", pincode: string, where: string): LetterText {
  const subject = `인증번호 ${pincode}`;
  if (channel === "sms") return { subject, text: `인증번호는 ${pincode}입니다. 10분 안에 입력해 주십시오.` };
  return {
    subject,
    text: `인증번호는 ${pincode}입니다.\n\n${where}에 10분 안에 입력해 주십시오.\n요청하신 적이 없다면 이 메시지를 무시해 주십시오. 인증번호는 다른 사람에게 알려 주지 마십시오.`,
  };
}
