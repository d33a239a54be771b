import { auditActionLabel, JOB_ADDRESS } from "#worker/contract/kernel/audit-actions.ts";
import { labelled, type ListColumn, ListTable } from "#app/features/list/searched-list.tsx";
import { cx } from "#app/ui/cx.ts";
import { TextLink, Time } from "#app/ui/inline.tsx";
import { auditLackText, auditTargetText } from "#worker/contract/audit/log.ts";
import type { AuditRow } from "#worker/domain/audit/audit-log.server.ts";
import { auditFieldName, formatAuditValue, IS_AUDIT_ID } from "#app/features/operation/detail-names.ts";

const COLUMNS: ListColumn<AuditRow>[] = [
  { head: "일시", className: "text-sm", renderCell: (row) => <Time date={row.createdDate} format="datetime" /> },
  labelled("행위자", (row) => (
    <>
      {row.actorName || (row.actorUserId ? "탈퇴한 회원" : row.address === JOB_ADDRESS ? JOB_ADDRESS : "방문자")}
      {row.address !== JOB_ADDRESS && <span className="ml-2 text-sm text-gray-60">{row.address}</span>}
    </>
  )),
  { head: "행위", className: "max-md:font-semibold", renderCell: (row) => auditActionLabel(row.action) },
  labelled(
    "대상",
    (row) => (
      <>
        {row.targetType === "user" && row.targetId ? (
          <TextLink to={`/Admin/Members/${row.targetId}`}>{row.targetName || "회원"}</TextLink>
        ) : (
          <span>{auditTargetText(row)}</span>
        )}
        {isOverPeople(row) && (
          <TextLink to={`/Admin/Audit/${row.id}`} className="ml-2 inline-flex min-h-6 items-center">
            {row.subjectCount}명 보기
          </TextLink>
        )}
      </>
    ),
    "text-sm",
  ),
  {
    head: "내용",
    className: (row) => cx("text-sm md:max-w-md", !row.reason && !row.detail && !row.lacks && "max-md:hidden!"),
    renderCell: (row) => (
      <>
        {row.lacks && <p className="text-gray-60">{auditLackText(row.lacks)}</p>}
        {row.reason && <p>사유: {row.reason}</p>}
        {row.detail && (
          <details>
            <summary className="inline-flex min-h-6 items-center text-primary-70 underline underline-offset-4">
              자세히
            </summary>
            <AuditDetail detail={row.detail} />
          </details>
        )}
      </>
    ),
  },
];

/** True for a row that names others than its target. */
const isOverPeople = ({ subjectCount, targetType, targetId }: AuditRow) =>
  subjectCount > 1 || (subjectCount === 1 && (targetId === "" || !["user", "alumni"].includes(targetType)));

export function AuditTable({ rows, caption }: { rows: readonly AuditRow[]; caption: string }) {
  if (rows.length === 0) return <p className="py-6 text-gray-60">기록이 없습니다.</p>;
  return (
    <ListTable
      caption={caption}
      columns={COLUMNS}
      rows={rows}
      keyOf={(row) => row.id}
      className="md:min-w-[48rem]"
      rowClassName="align-top"
    />
  );
}

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

function AuditDetail({ detail }: { detail: DetailValues }) {
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
