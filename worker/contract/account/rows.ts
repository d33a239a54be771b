import { defineRow } from "../kernel/console/define-row.ts";
import { choice, code, flag, line, lines, type RowView } from "../kernel/row.ts";
import { PROFILE_FIELD_LIMITS as LIMITS, PROFILE_INPUT_LABELS } from "./rules.ts";

export const PROFILE_FIELDS_MAX = 50;

const CHOSEN = ["inputType", "select", "radio", "checkbox"] as const;

export const profileFieldRow = defineRow("profile-field", {
  name: "가입 항목",
  title: "name",
  most: PROFILE_FIELDS_MAX,
  closes: true,
  fields: {
    name: line("항목 이름", { required: true, max: LIMITS.name }),
    code: code("코드", {
      required: true,
      max: LIMITS.code,
      isFixed: true,
      hint: "영문자. 나중에 바꿀 수 없습니다. 예: hospital",
    }),
    inputType: choice("적는 방법", PROFILE_INPUT_LABELS, "text", { isSent: true }),
    detail: lines("고를 수 있는 말", {
      max: LIMITS.option,
      maxLines: LIMITS.optionsMax,
      onlyWith: CHOSEN,
      hint: "한 줄에 하나씩 적습니다. 표시하기는 비워 둡니다.",
    }),
    englishName: line("영문 이름", {
      max: LIMITS.englishName,
      lang: "en",
      isKept: true,
      hint: "영문 가입 화면에서 부르는 이름입니다. 비워 두면 한글 이름을 보여 줍니다.",
    }),
    /** In the order of `detail`; empty for an option without an English name. */
    englishDetail: lines("영문 선택지", {
      max: LIMITS.englishOption,
      maxLines: LIMITS.optionsMax,
      lang: "en",
      isKept: true,
      onlyWith: CHOSEN,
      hint: "위에서 고를 수 있는 말과 같은 차례로 한 줄에 하나씩 적습니다.",
    }),
    required: flag("반드시 적어야 합니다", { isSent: true }),
  },
  example: { code: "major", name: "전공", inputType: "text", required: false },
});

export type AdminProfileField = RowView<typeof profileFieldRow.fields> & {
  order: number;
  isClosed: boolean;
  /** Members with a value. */
  valueCount: number;
  /** Names of what uses the field. */
  uses?: string[];
};
