import { defineRow } from "../kernel/console/define-row.ts";
import { choice, flag, guardedBy, line, lines, whole } from "../kernel/row.ts";
import { FIRST_CERTIFICATE_KIND, SELF_ISSUE_LABELS } from "./certificate.ts";
import { DUE_LIMITS } from "./dues/dues.ts";
import { OWN_FIELD_ACCESS_LABELS, OWN_FIELD_KIND_LABELS, OWN_FIELD_LIMITS } from "./own-fields.ts";

export const alumniFieldRow = defineRow("alumni-field", {
  name: "주소록 항목",
  title: "name",
  closes: true,
  fields: {
    name: line("항목 이름", { required: true, max: OWN_FIELD_LIMITS.name }),
    kind: choice("적는 방법", OWN_FIELD_KIND_LABELS, "text", {
      isFixed: true,
      isSent: true,
      hint: "만든 뒤에는 바꿀 수 없습니다.",
    }),
    choices: lines("고를 수 있는 말", {
      required: true,
      hint: "한 줄에 하나씩 적습니다.",
      onlyWith: ["kind", "choice", "choices"],
    }),
    access: choice("볼 수 있는 사람", OWN_FIELD_ACCESS_LABELS, "office", { asButtons: true, isSent: true }),
    personEdits: flag("본인이 자기 정보에서 고칠 수 있습니다", { onlyWith: ["access", "members", "openable"] }),
    required: flag("반드시 적어야 합니다"),
    inList: flag("목록에 처음부터 열로 보입니다"),
  },
  example: { name: "생년월일", kind: "date", access: "office" },
});

export const certificateKindRow = defineRow("certificate-kind", {
  most: 30,
  fields: {
    name: line("증명서 이름", { required: true, max: 30, hint: "예: 회원 증명서, 재직 증명서, 참가 확인서" }),
    body: line("문구", { required: true, max: 1000, rows: 4 }),
    organization: line("발급 기관", {
      max: 100,
      hint: "비워 두면 사이트 정보의 기관명이 나옵니다.",
      ...guardedBy("Alumni_Write"),
    }),
    chair: line("발급자", {
      max: 60,
      hint: "예: 이사장 홍길동. 비워 두면 사이트 정보의 대표자가 나옵니다.",
      ...guardedBy("Alumni_Write"),
    }),
    sealId: line("직인"),
    withAffiliation: flag("소속을 적습니다"),
    withPurpose: flag("용도를 적습니다"),
    numberPattern: line("번호 형식", {
      required: true,
      max: 40,
      start: FIRST_CERTIFICATE_KIND.numberPattern,
      hint: "{{연도}}와 {{번호}}를 씁니다. 형식이 같은 증명서끼리 번호가 이어집니다.",
    }),
    startYear: whole("종이 대장의 번호를 이어 가는 연도", {
      start: 0,
      max: 2999,
      hint: "그 해를 종이로 시작했을 때만 적습니다. 예: 2026. 0이면 1번부터 시작합니다.",
    }),
    startNumber: whole("그 해의 첫 번호", {
      start: 0,
      max: 999_999,
      hint: "종이로 37번까지 발급했으면 38을 적습니다. 이미 여기에서 더 큰 번호를 발급했으면 그다음 번호가 나갑니다.",
    }),
    months: whole("유효 기간(개월)", { start: 0, max: 120, hint: "0이면 기한이 없습니다." }),
    selfIssue: choice("발급할 수 있는 사람", SELF_ISSUE_LABELS, "office"),
    isClosed: flag("더 발급하지 않습니다"),
  },
  example: {
    name: "재직 증명서",
    body: "위 사람은 {{기관}}에 재직하고 있음을 증명합니다.",
    numberPattern: "재직 {{연도}}-{{번호}}",
  },
});

export const dueKindRow = defineRow("due-kind", {
  most: 30,
  fields: {
    name: line("회비 이름", { required: true, max: 30, hint: "예: 연회비, 입회비, 학회지 구독료" }),
    amount: whole("금액(원)", {
      start: 0,
      max: DUE_LIMITS.amount,
      hint: "등급이 비어 있는 사람에게 청구합니다. 0이면 그런 사람에게는 청구하지 않습니다.",
    }),
    gradeField: line("등급이 적힌 주소록 항목", { max: 30, hint: "예: 회원 등급. 비워 두면 모두 같은 금액입니다." }),
    grades: lines("등급별 금액", {
      max: 60,
      hint: "한 줄에 등급 하나씩 ‘정회원 50000’처럼 적습니다. 0원은 면제입니다.",
    }),
    isClosed: flag("더 청구하지 않습니다"),
  },
  example: { name: "연회비", amount: 30_000 },
});
