import { auditActionLabel } from "#worker/contract/kernel/audit-actions.ts";
import { AuditDetail } from "#app/features/operation/audit-detail.tsx";
import { type ListColumn, ListTable } from "#app/features/list/searched-list.tsx";
import { cx } from "#app/ui/cx.ts";
import { Time } from "#app/ui/time.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import type { AuditRow } from "#worker/contract/audit/view.ts";
import { auditLackText, auditTargetText } from "#worker/contract/audit/rules.ts";
import { JOB_ADDRESS } from "#worker/contract/kernel/job-address.ts";

const COLUMNS: ListColumn<AuditRow>[] = [
  { head: "일시", className: "text-sm", renderCell: (row) => <Time date={row.createdDate} format="datetime" /> },
  {
    head: "행위자",
    label: true,
    renderCell: (row) => (
      <>
        {row.actorName || (row.actorUserId ? "탈퇴한 회원" : row.address === JOB_ADDRESS ? JOB_ADDRESS : "방문자")}
        {row.address !== JOB_ADDRESS && <span className="ml-2 text-sm text-gray-60">{row.address}</span>}
      </>
    ),
  },
  { head: "행위", className: "max-md:font-semibold", renderCell: (row) => auditActionLabel(row.action) },
  {
    head: "대상",
    label: true,
    className: "text-sm",
    renderCell: (row) => (
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
  },
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
