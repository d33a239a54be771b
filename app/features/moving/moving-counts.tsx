import { formatCount } from "#app/lib/format.ts";
import { formatBytes } from "#worker/contract/kernel/text.ts";
import type { MovingCounts } from "#worker/contract/moving/state.ts";
import type { MovingIssueView } from "#worker/contract/moving/view.ts";

const LABELS: Record<keyof MovingCounts, string> = {
  members: "회원",
  boards: "게시판",
  items: "글",
  comments: "댓글",
  files: "첨부파일",
  notes: "쪽지",
};

export function CountList({ counts, filesBytes }: { counts: MovingCounts; filesBytes?: number }) {
  return (
    <dl className="tabular grid grid-cols-2 gap-x-6 gap-y-3 border-y border-gray-20 py-4 md:grid-cols-3 lg:grid-cols-6">
      {Object.entries(LABELS).map(([key, label]) => (
        <div key={key}>
          <dt className="text-sm text-gray-60">{label}</dt>
          <dd className="text-xl font-semibold text-gray-90">
            {formatCount(counts[key as keyof MovingCounts])}
            {key === "files" && filesBytes ? (
              <span className="ml-1.5 text-sm font-normal text-gray-60">{formatBytes(filesBytes)}</span>
            ) : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Lists what is skipped or converted, with the first examples of each kind. */
export function IssueList({ issues }: { issues: MovingIssueView[] }) {
  const groups = [
    { title: "오지 않는 것", rows: issues.filter(({ isLoss }) => isLoss) },
    { title: "바뀌거나 그대로 두는 것", rows: issues.filter(({ isLoss }) => !isLoss) },
  ].filter(({ rows }) => rows.length > 0);
  if (groups.length === 0) return <p className="text-gray-60">모두 그대로 왔습니다.</p>;
  return (
    <div className="grid gap-x-10 gap-y-6 lg:grid-cols-2">
      {groups.map(({ title, rows }) => (
        <div key={title}>
          <h3 className="mb-2 text-base font-semibold text-gray-80">{title}</h3>
          <ul className="divide-y divide-gray-20 border-y border-gray-20">
            {rows.map(({ code, label, count, subjects }) => (
              <li key={code} className="py-2.5">
                <p className="flex justify-between gap-4">
                  <span>{label}</span>
                  <span className="tabular shrink-0 font-semibold">{formatCount(count)}</span>
                </p>
                {subjects.length > 0 && (
                  <p className="text-sm [overflow-wrap:anywhere] text-gray-60">
                    {subjects.join(", ")}
                    {count > subjects.length && " …"}
                  </p>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
