export interface Field {
  sample: string;
  /** The message is useless without this field. */
  required?: true;
  /** A secret code. Links are recognized by a sample that begins with a slash. */
  isCode?: true;
}

export interface MailTemplateDefault {
  name: string;
  when: string;
  channel: "email" | "sms";
  subject: string;
  text: string;
  fields: Readonly<Record<string, Field>>;
}

export const NOT_YOU_TEXT =
  "본인이 하신 일이 아니라면 즉시 비밀번호를 재설정하시고 관리자에게 알려 주십시오.\n비밀번호는 사이트의 '비밀번호 찾기'에서 재설정하실 수 있습니다.";

export const NAME_FIELD = { sample: "홍길동" };

export const UNSUBSCRIBE_FIELD = { sample: "/mail/off/…", required: true } as const;

export const ITEM_LINK_FIELD = { sample: "/board/notice/View/60", required: true } as const;

export const REQUEST_FIELD = { sample: "개인정보 열람 요구" };

export const DUE_FIELD = { sample: "2026년 12월 1일", required: true } as const;

export const CONFIRM_FIELD = { sample: "/confirm/…", required: true } as const;

export const ITEM_FIELDS = {
  이름: NAME_FIELD,
  게시판: { sample: "공지사항" },
  제목: { sample: "2026년 동계 심포지엄 안내" },
  작성자: { sample: "관리자" },
};

export const SIGNATURE = "\n\n{{사이트}}\n{{사이트 주소}}";
