import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import { choice, day, flag, line, whole } from "#worker/contract/kernel/row.ts";
import { DUE_LIMITS, DUE_STATE_LABELS } from "./dues.ts";

/** The choices of period and kind are those that exist. */
export const DUE_FILTERS = {
  keyword: line("이름", { type: "search", max: SIZE_LIMITS.keywordLength }),
  period: line("연도", { max: DUE_LIMITS.period, placeholder: "가장 최근" }),
  kindId: line("종류", { max: 50 }),
  state: choice("상태", DUE_STATE_LABELS),
};

export const DUE_FIELDS = {
  amount: whole("청구액(원)", { required: true, min: 1, max: DUE_LIMITS.amount }),
  dueDay: day("납부 기한"),
  isExempt: flag("면제합니다"),
  reason: line("면제 사유", { max: 100, hint: "면제할 때만 적습니다." }),
};

export const NOT_IN_BOOK = "주소록에 없음";

const BEGUN = [
  ["paid", /^(?:납부|납부함|완납|납입|예|[OYV○])$/i],
  ["unpaid", /^(?:미납|미납부|아니요|[XN×])$/i],
  ["exempt", /^면제함?$/],
] as const;

/** The state that a word of a past year says, or the won that were paid. */
export function begunState(text: string): "paid" | "unpaid" | "exempt" | number | undefined {
  const won = /^[₩￦]?(\d[\d,]{0,12})원?$/.exec(text)?.[1];
  return won === undefined ? BEGUN.find(([, pattern]) => pattern.test(text))?.[0] : Number(won.replaceAll(",", ""));
}
