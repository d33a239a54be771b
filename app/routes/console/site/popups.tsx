import { RowControls } from "#app/features/form/row-fields.tsx";
import { RowsScreen } from "#app/features/list/rows-screen.tsx";
import { api } from "#app/lib/api.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Badge, Time } from "#app/ui/inline.tsx";
import { withParticle } from "#worker/contract/kernel/wording.ts";
import { popupRow, type PopupValues } from "#worker/contract/site/rows.ts";
import { popups } from "#worker/domain/site/popup.server.ts";
import type { Route } from "./+types/popups";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => ({
  popups: await popups.list(scope),
  now: scope.now().toISOString(),
}));

const DAYS_SHOWN = 7;

export default function PopupsPage({ loaderData }: Route.ComponentProps) {
  const { now } = loaderData;
  const endDate = new Date(Date.parse(now) + DAYS_SHOWN * 86_400_000).toISOString();
  return (
    <RowsScreen
      type={popupRow}
      rows={loaderData.popups}
      calls={api.admin.popup}
      description="정한 기간 동안 첫 화면에 뜨는 알림입니다. 여러 개이면 위에서부터 하나씩 나오고, 방문자는 ‘24시간 동안 보지 않기’를 고를 수 있습니다."
      deletion={({ title }) =>
        `${withParticle(`'${title}'`, "을/를")} 삭제합니다. 되살릴 수 없으니, 잠시 내리시려면 ‘고치기’에서 ‘보이지 않게’를 고르십시오.`
      }
      size="lg"
      start={{ startDate: now, endDate }}
      controls={PopupControls}
    >
      {(popup) => (
        <>
          <p className="flex flex-wrap items-center gap-2 font-semibold text-gray-90">
            {popup.title}
            <PopupState popup={popup} now={now} />
          </p>
          <p className="text-sm text-gray-60">
            <Time date={popup.startDate} format="datetime" /> ~ <Time date={popup.endDate} format="datetime" />
          </p>
        </>
      )}
    </RowsScreen>
  );
}

function PopupState({ popup, now }: { popup: PopupValues & { isShown: boolean }; now: string }) {
  if (popup.isShown) return <Badge tone="success">보이는 중</Badge>;
  if (popup.isClosed) return <Badge>내림</Badge>;
  return popup.startDate > now ? <Badge tone="primary">예정</Badge> : <Badge>기간 지남</Badge>;
}

function PopupControls({
  values,
  errors,
}: {
  values: Partial<PopupValues> | null;
  errors: Record<string, string | undefined>;
}) {
  const controls = { fields: popupRow.fields, values, errors };
  const isEnglishOpen = Boolean(values?.englishTitle || errors.englishTitle || errors.englishContent);
  return (
    <>
      <RowControls {...controls} only={["title", "content"]} />
      <details open={isEnglishOpen || undefined} className="rounded-lg border border-gray-20 px-4">
        <summary className="min-h-11 cursor-pointer content-center font-semibold text-gray-90">영문 팝업</summary>
        <div className="grid gap-5 pt-2 pb-4">
          <RowControls {...controls} only={["englishTitle", "englishContent"]} />
        </div>
      </details>
      <RowControls {...controls} only={["linkUrl"]} />
      <div className="grid gap-5 md:grid-cols-2">
        <RowControls {...controls} only={["startDate", "endDate", "position", "size"]} />
      </div>
      <RowControls {...controls} only={["isClosed"]} />
    </>
  );
}
