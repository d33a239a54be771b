import { REQUEST_STATUS_NAMES } from "#worker/contract/privacy-rules.ts";

type Values = Record<string, unknown>;
const isValues = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const STATUSES: Record<string, string> = REQUEST_STATUS_NAMES;
const shown = (value: unknown): string => {
  if (value === undefined || value === null || value === "") return "(없음)";
  if (value === true) return "예";
  if (value === false) return "아니요";
  if (typeof value === "string") return STATUSES[value] ?? value;
  return typeof value === "number" ? String(value) : JSON.stringify(value);
};

/** What a row of the audit log tells: before and after side by side, the rest as pairs. */
export function AuditDetail({ detail }: { detail: Values }) {
  const { before, after, ...rest } = detail;
  const was = isValues(before) ? before : {};
  const is = isValues(after) ? after : {};
  const changed = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return (
    <div className="mt-1 space-y-2 text-xs break-words">
      {changed.length > 0 && (
        <table className="w-full text-left">
          <thead>
            <tr>
              <th scope="col" className="pr-3 font-semibold">
                항목
              </th>
              <th scope="col" className="pr-3 font-semibold">
                바꾸기 전
              </th>
              <th scope="col" className="font-semibold">
                바꾼 뒤
              </th>
            </tr>
          </thead>
          <tbody>
            {changed.map((key) => (
              <tr key={key} className="align-top">
                <th scope="row" className="pr-3 font-normal text-gray-60">
                  {key}
                </th>
                <td className="pr-3 break-all">{shown(was[key])}</td>
                <td className="break-all">{shown(is[key])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {Object.entries(rest).map(([key, value]) => (
        <p key={key} className="break-all">
          <span className="text-gray-60">{key}</span> {shown(value)}
        </p>
      ))}
    </div>
  );
}
