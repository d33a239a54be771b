import { AlumniPageHeader } from "#app/features/alumni/alumni-page-header.tsx";
import { DEEDS_TITLE } from "#app/features/alumni/undo-deed.ts";
import { UndoHistory } from "#app/features/alumni/undo-history.tsx";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { Time } from "#app/ui/inline.tsx";
import { deedRule } from "#worker/contract/alumni/deeds.ts";
import { listDeeds } from "#worker/domain/alumni/deed/deed-list.server.ts";
import type { Route } from "./+types/undo";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => ({ deeds: await listDeeds(scope) }));

export const meta = titledMeta(DEEDS_TITLE);

export default function UndoableDeeds({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <AlumniPageHeader
        title={DEEDS_TITLE}
        description="주소록과 회비를 한꺼번에 바꾼 작업입니다. 기한 안에는 하기 전으로 되돌릴 수 있고, 그 뒤에 달라진 것은 그대로 두고 알려 드립니다."
      />
      <div className="container-page container-reading pb-16 md:pb-24">
        <UndoHistory
          title="최근 작업"
          deeds={loaderData.deeds}
          headers={["한 일", "종류", "한 사람", "기한"]}
          cells={(deed) => [
            deedRule(deed.kind).done(deed),
            deedRule(deed.kind).label,
            deed.userName,
            deed.undoUntil === null ? "되돌리는 중" : <Time date={deed.undoUntil} format="datetime" />,
          ]}
          emptyText="되돌릴 수 있는 작업이 없습니다."
        />
      </div>
    </>
  );
}
