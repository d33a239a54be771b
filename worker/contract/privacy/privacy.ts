import { defineDesk } from "../kernel/desk.ts";
import { valuesOf } from "../kernel/labels.ts";
import { choice } from "../kernel/row.ts";

/** 법 제35조 (access), 제36조 (correction, erasure), 제37조 (suspension). */
export const REQUEST_KIND_NAMES = { access: "열람", correction: "정정", erasure: "삭제", suspension: "처리정지" };

export type PrivacyRequestKind = keyof typeof REQUEST_KIND_NAMES;

export const REQUEST_KINDS = valuesOf(REQUEST_KIND_NAMES);

/** Effect of a granted suspension, shown before it is granted. */
export const SUSPENDED_MESSAGE =
  "단체 메일과 광고성 메일, 새 글·댓글 알림을 보내지 않고, 주소록에서 다른 회원에게 공개하신 연락처를 닫습니다";

const OPEN = ["received", "processing"] as const;

export const REQUEST_DESK = defineDesk({
  states: { received: "접수", processing: "처리 중", done: "처리 완료", refused: "거절" },
  tones: { received: "warning", processing: "primary", done: "success", refused: "gray" },
  commands: {
    start: { by: "office", from: ["received"], to: "processing" },
    extend: { by: "office", from: OPEN },
    accept: { by: "office", from: OPEN, to: "done" },
    refuse: { by: "office", from: OPEN, to: "refused" },
    erase: { by: "office", from: OPEN, to: "done" },
  },
  letters: { extend: "privacyExtended", accept: "privacyDone", refuse: "privacyRefused", erase: "privacyDone" },
});

export type PrivacyRequestStatus = keyof typeof REQUEST_DESK.states;

export const REQUEST_FILTERS = {
  status: choice("상태", { open: "처리할 것", overdue: "기한이 지난 것", ...REQUEST_DESK.states }),
  kind: choice("종류", REQUEST_KIND_NAMES),
};

export const REQUEST_LIMITS = { content: 2000, answer: 4000, extensionReason: 300 } as const;

export interface RetentionDueRow {
  id: string;
  name: string;
  sinceDate: string;
}
