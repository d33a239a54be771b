import { RowsScreen } from "#app/features/list/rows-screen.tsx";
import { api } from "#app/lib/api.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Badge } from "#app/ui/inline.tsx";
import { formatWon } from "#worker/contract/alumni/dues/dues.ts";
import { dueKindRow } from "#worker/contract/alumni/rows.ts";
import { dueKinds } from "#worker/domain/alumni/dues/kind.server.ts";
import type { Route } from "./+types/due-kinds";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => dueKinds.list(scope));

export default function DueKindsPage({ loaderData: rows }: Route.ComponentProps) {
  return (
    <RowsScreen
      type={dueKindRow}
      rows={rows}
      calls={api.admin["due-kind"]}
      description="회비의 이름과 금액을 정합니다. 고친 금액은 그 뒤에 청구하는 회비에만 적용됩니다."
      deletion={({ name }) => `더는 '${name}' 회비를 청구할 수 없습니다.`}
    >
      {({ name, amount, gradeField, grades, isClosed }) => (
        <>
          <p className="flex flex-wrap items-center gap-2 font-semibold text-gray-90">
            {name}
            {isClosed && <Badge tone="danger">닫힘</Badge>}
          </p>
          <p className="text-sm text-gray-60">
            {formatWon(amount)} {gradeField && `· ${gradeField}: ${grades.join(", ")}`}
          </p>
        </>
      )}
    </RowsScreen>
  );
}
