import { auditFieldName, formatAuditValue, IS_AUDIT_ID } from "#app/features/operation/detail-names.ts";

type DetailValues = Record<string, unknown>;
const isDetailValues = (value: unknown): value is DetailValues =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A role change lists former roles by member id; only the roles are shown. */
function changedBefore(before: unknown, after: unknown): DetailValues {
  if (!isDetailValues(before)) return before === undefined ? {} : { before };
  const byId = Object.entries(before).filter(([key]) => IS_AUDIT_ID.test(key));
  if (byId.length === 0 || !isDetailValues(after)) return before;
  return { roleCode: [...new Set(byId.map(([, roleCode]) => roleCode))] };
}

/** Returns the entries that differ between two objects, such as permissions by role. */
function differingPart(one: unknown, other: unknown): unknown {
  if (!isDetailValues(one) || !isDetailValues(other)) return one;
  return Object.fromEntries(
    Object.entries(one).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(other[key])),
  );
}

export function AuditDetail({ detail }: { detail: DetailValues }) {
  const { before, after, ...rest } = detail;
  const was = changedBefore(before, after);
  const is = isDetailValues(after) ? after : {};
  const pairs = isDetailValues(after) || after === undefined ? rest : { after, ...rest };
  const changed = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return (
    <div className="mt-1 space-y-2 text-sm">
      {changed.length > 0 && (
        <table className="w-full text-left">
          <thead>
            <tr>
              <th scope="col" className="w-1/5 pr-3 font-semibold">
                항목
              </th>
              <th scope="col" className="w-2/5 pr-3 font-semibold">
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
                  {auditFieldName(key)}
                </th>
                <td className="pr-3 whitespace-pre-line">{formatAuditValue(key, differingPart(was[key], is[key]))}</td>
                <td className="whitespace-pre-line">{formatAuditValue(key, differingPart(is[key], was[key]))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {Object.entries(pairs).map(([key, value]) => (
        <p key={key} className="whitespace-pre-line">
          <span className="text-gray-60">{auditFieldName(key)}</span> {formatAuditValue(key, value)}
        </p>
      ))}
    </div>
  );
}
