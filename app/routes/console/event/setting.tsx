import { useState } from "react";
import { useNavigate } from "react-router";
import { eventHref, eventParam } from "#app/features/event/event-paths.ts";
import { EventSettingForm, type SentSetting } from "#app/features/event/setting-form.tsx";
import { readEventPath } from "#app/features/event/event-path.server.ts";
import { hasUnsavedInput } from "#app/features/form/unsaved.ts";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { Button } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { Field, Select } from "#app/ui/field.tsx";
import { copiedTimes } from "#worker/contract/event/event.ts";
import type { EventPage } from "#worker/contract/event/view.ts";
import { getEventPage } from "#worker/domain/event/event.server.ts";
import type { Route } from "./+types/setting";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => ({
  page: await getEventPage(scope, readEventPath(params)),
  now: scope.now().toISOString(),
}));

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta({ matches, title: [loaderData?.page.item.title ?? "행사 신청", "신청 설정", "관리"] });

const EMPTY: Omit<SentSetting, "openDate" | "closeDate"> = {
  cancelUntil: "",
  places: null,
  useWaiting: true,
  hidesCounts: false,
  takesGuests: false,
  roleCodes: [],
  confirmation: "",
  attendance: "entry",
  certificateKindId: "",
  questions: [],
  fees: [],
  reminderDays: null,
  feeDays: 7,
  cancelsUnpaid: false,
};

/** The earlier event's setting, as many days before this one. */
function copiedFrom({ event, setting }: EventPage["earlier"][number], { event: own }: EventPage["item"]): SentSetting {
  const withoutCode = <Part extends { code: string }>({ code: _code, ...part }: Part) => part;
  const questions = setting.questions.map(withoutCode);
  const fees = setting.fees.map(withoutCode);
  const times = event && own ? copiedTimes(setting, event.firstDay, own.firstDay) : {};
  return { ...setting, ...times, questions, fees };
}

export default function EventSettingPage({ loaderData: { page, now } }: Route.ComponentProps) {
  const { item, setting, roles, kinds, earlier } = page;
  const navigate = useNavigate();
  const [copied, setCopied] = useState<{ from: string; value: SentSetting } | null>(null);
  const { event } = item;
  const first = { ...EMPTY, openDate: now, closeDate: event?.deadline ?? event?.startDate ?? "" };
  const latest = setting ?? { value: copied?.value ?? first, version: 0 };
  const call = api.admin.event[":boardCode"][":itemNo"];
  const param = eventParam(item);
  return (
    <>
      <ConsoleHeader
        title={setting ? "신청 설정" : "신청 받기"}
        description={item.title}
        parent={setting ? { label: item.title, href: eventHref(item) } : { label: "행사 신청", href: "/Admin/Events" }}
      />
      {!setting && earlier.length > 0 && (
        <CopyFrom
          earlier={earlier}
          onCopy={(from) => setCopied({ from: eventHref(from), value: copiedFrom(from, item) })}
        />
      )}
      <EventSettingForm
        key={copied?.from}
        {...{ roles, kinds }}
        latest={latest}
        submitLabel={setting ? "저장" : "신청 받기"}
        done={setting ? "신청 설정을 저장하였습니다." : "신청을 받습니다."}
        save={(value, version) =>
          callApi(setting ? call.$patch({ param, json: { ...value, version } }) : call.$put({ param, json: value }))
        }
        onStored={() => void navigate(eventHref(item))}
      />
    </>
  );
}

interface CopyFromProps {
  earlier: EventPage["earlier"];
  onCopy: (from: EventPage["earlier"][number]) => void;
}

function CopyFrom({ earlier, onCopy }: CopyFromProps) {
  const [chosen, setChosen] = useState(0);
  const [asks, setAsks] = useState(false);
  const copy = () => {
    const from = earlier[chosen];
    if (from) onCopy(from);
  };
  return (
    <div className="mb-8 flex max-w-3xl flex-wrap items-end gap-3 rounded-lg bg-gray-5 p-4">
      <Field label="지난 행사에서 가져오기" className="min-w-0 flex-1">
        <Select
          value={String(chosen)}
          options={earlier.map(({ title }, index) => ({ value: String(index), label: title }))}
          onChange={(event) => setChosen(Number(event.target.value))}
        />
      </Field>
      <Button className="needs-script" onClick={() => (hasUnsavedInput() ? setAsks(true) : copy())}>
        가져오기
      </Button>
      <ConfirmDialog
        open={asks}
        onClose={() => setAsks(false)}
        title="적으신 내용 대신 지난 행사의 설정을 가져오시겠습니까?"
        confirmLabel="가져오기"
        onConfirm={() => {
          setAsks(false);
          copy();
        }}
      >
        지금까지 적으신 내용은 사라집니다.
      </ConfirmDialog>
    </div>
  );
}
