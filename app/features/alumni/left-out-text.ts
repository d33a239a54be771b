import { formatCount } from "#app/lib/format.ts";

/** “납부한 회비가 없는 17명은 제외됩니다.”, from a cause such as “납부한 회비가 없음”. @param from “청구에서 ” */
export function leftOutSentence(cause: string, count: number, { unit = "명", from = "" } = {}): string {
  const which = cause.endsWith("음") ? `${cause.slice(0, -1)}는` : cause;
  return `${which} ${formatCount(count)}${unit}은 ${from}제외됩니다.`;
}
