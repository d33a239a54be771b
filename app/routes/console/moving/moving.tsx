import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { saveResponseFile } from "#app/features/form/save-response-file.ts";
import { useAction } from "#app/features/form/action.tsx";
import { ArchiveFields } from "#app/features/moving/archive-fields.tsx";
import { BlockedList } from "#app/features/moving/blocked-list.tsx";
import { MappingForm } from "#app/features/moving/mapping-form.tsx";
import { SiteExport } from "#app/features/moving/site-export.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Alert, ErrorAlert } from "#app/ui/alert.tsx";
import { Badge } from "#app/ui/inline.tsx";
import { Button } from "#app/ui/button.tsx";
import { ProgressBar } from "#app/ui/progress.tsx";
import { MOVING_STATUS_LABELS, type MovingStatus } from "#worker/contract/moving/rules.ts";
import type { MovingCounts } from "#worker/contract/moving/moving.ts";
import type { MovingView } from "#worker/domain/moving/moving-view.server.ts";
import { getMovingPage } from "#worker/domain/moving/moving.server.ts";
import type { Route } from "./+types/moving";
import { PastMovings, UndoMovingButton } from "#app/features/moving/past-movings.tsx";
import { NewMoving } from "#app/features/moving/new-moving.tsx";
import { formatBytes } from "#worker/contract/kernel/text.ts";
import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";

const calls = api.admin.moving;

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => getMovingPage(scope, null));

export default function MovingPage({ loaderData: { movings, open, targets, canExport } }: Route.ComponentProps) {
  const isOpen = open !== null && !["committed", "undone", "cancelled", "failed"].includes(open.status);
  return (
    <>
      <ConsoleHeader description="그누보드5, 라이믹스, XE, 제로보드, 워드프레스에서 회원과 글, 댓글, 첨부파일을 옮깁니다. 회원은 쓰던 비밀번호로 로그인하고, 옛 주소는 새 주소로 이어집니다." />
      {open && open.status !== "cancelled" && (
        <OpenMoving key={`${open.id} ${open.status}`} view={open} targets={targets} />
      )}
      {!isOpen && <NewMoving />}
      {movings.length > 1 && <PastMovings movings={movings.slice(1)} />}
      {canExport && <SiteExport />}
    </>
  );
}

function OpenMoving({ view, targets }: { view: MovingView } & Pick<Route.ComponentProps["loaderData"], "targets">) {
  const shown = useMovingSteps(view.id, view.status, view.progress, view.progressText);
  const { busy, run, problem } = useAction();
  const param = { id: view.id };
  const isUndone = view.status === "undone" || view.status === "undoing";
  const isReady =
    view.archives.some(({ kind, isReady: ready }) => kind === "rdx" && ready) &&
    view.archives.every(({ isReady: ready }) => ready);
  const failure = problem ?? (view.status === "failed" || view.interruptions > 5 ? view.problem : null);
  return (
    <ConsoleSection
      title={view.site}
      action={<Badge tone={view.status === "failed" ? "danger" : "gray"}>{MOVING_STATUS_LABELS[view.status]}</Badge>}
    >
      <ErrorAlert className="mb-5">{failure}</ErrorAlert>
      {isWorking(view.status) && (
        <div role="status" className="mb-6 rounded-md bg-gray-5 p-5">
          <p className="mb-2 flex justify-between gap-4">
            <span className="font-semibold">{shown.text || view.progressText}</span>
            <span className="tabular">{Math.floor(shown.progress * 100)}%</span>
          </p>
          <ProgressBar label={shown.text} value={Math.floor(shown.progress * 100)} />
          <p className="mt-2 text-sm text-gray-60">
            이 화면을 닫아도 저절로 이어집니다. 나중에 다시 와서 보셔도 됩니다.
          </p>
          {view.interruptions > 5 && (
            <Button
              size="sm"
              className="mt-3"
              busy={busy}
              onClick={() => void run(() => callApi(calls[":id"].retry.$post({ param, json: {} })), null)}
            >
              다시 시도
            </Button>
          )}
        </div>
      )}
      {view.status === "uploading" && (
        <>
          <ArchiveFields moving={view} />
          <div className="mt-8">
            <Button
              variant="primary"
              disabled={!isReady}
              busy={busy}
              onClick={() => void run(() => callApi(calls[":id"].check.$post({ param, json: {} })), null)}
            >
              살펴보기
            </Button>
            {!isReady && (
              <p className="mt-2 text-sm text-gray-60">
                RDX 파일을 다 올리면 살펴볼 수 있습니다. 아직 아무것도 옮기지 않습니다.
              </p>
            )}
          </div>
        </>
      )}
      {view.status === "checked" && (
        <>
          <h3 className="mb-2 text-base font-semibold text-gray-90">들어 있는 것 ({view.source || "알 수 없음"})</h3>
          <CountList counts={view.counts} filesBytes={view.filesBytes} />
          <PasswordNote view={view} />
          {view.issues.length + view.left.length > 0 && (
            <div className="mt-6">
              <IssueList issues={view.issues} left={view.left} />
            </div>
          )}
          <BlockedList view={view} />
          <div className="mt-8">
            <MappingForm view={view} targets={targets} />
          </div>
        </>
      )}
      {["committed", "committing", "undone", "undoing"].includes(view.status) && (
        <>
          <h3 className="mb-2 text-base font-semibold text-gray-90">{isUndone ? "되돌린 것" : "옮긴 것"}</h3>
          <CountList counts={isUndone ? view.removed : view.committed} />
          {view.already.items + view.already.members > 0 && (
            <p className="mt-3 text-gray-60">
              이미 있어 건너뛴 것: 회원 {formatCount(view.already.members)}, 글 {formatCount(view.already.items)},
              첨부파일 {formatCount(view.already.files)}
            </p>
          )}
          <div className="mt-6">
            <IssueList issues={view.issues} />
          </div>
        </>
      )}
      <div className="mt-6 flex flex-wrap gap-2">
        {view.issues.length > 0 && (
          <Button
            size="sm"
            busy={busy}
            onClick={() =>
              void run(() => saveResponseFile(calls[":id"].issues.$post({ param, json: {} })), "파일을 내려받았습니다.")
            }
          >
            살펴볼 것을 파일로
          </Button>
        )}
        {["uploading", "checking", "checked"].includes(view.status) && (
          <Button
            size="sm"
            variant="quiet"
            busy={busy}
            onClick={() =>
              void run(
                () => callApi(calls[":id"].cancel.$post({ param, json: {} })),
                "이사를 그만두었습니다. 올린 파일은 지웠습니다.",
              )
            }
          >
            그만두기
          </Button>
        )}
        {view.undoUntilDate && <UndoMovingButton view={view} />}
      </div>
    </ConsoleSection>
  );
}

function PasswordNote({ view }: { view: MovingView }) {
  const countOf = (name: string) => view.passwords.find(({ kind }) => kind === name)?.count ?? 0;
  const { mail, text } = view.consents;
  const foreign = countOf("pepper");
  const unknown = countOf("unknown") + foreign;
  const known = view.passwords.reduce((sum, { count }) => sum + count, 0) - unknown;
  if (known + unknown === 0) return null;
  return (
    <>
      <p className="mt-4 max-w-2xl text-gray-80">
        회원 {formatCount(known)}명은 쓰던 비밀번호로 로그인합니다.
        {unknown > 0 && ` ${formatCount(unknown)}명은 '비밀번호 찾기'로 새 비밀번호를 정합니다.`} 필수 동의는 처음
        로그인할 때 받습니다.
        {mail + text > 0 &&
          ` 광고성 정보 수신 동의(메일 ${formatCount(mail)}명, 문자 ${formatCount(text)}명)도 함께 옵니다. 동의한 날이 없으면 옮긴 날로 적습니다.`}
      </p>
      {foreign > 0 && (
        <Alert tone="warning" className="mt-4 max-w-2xl">
          {formatCount(foreign)}명의 비밀번호는 이전 사이트의 ‘비밀번호 보호’ 값이 있어야 확인할 수 있습니다. 이
          사이트를 운영하는 분에게 그 값을 이 사이트의 ‘비밀번호 보호(이전 값)’에 더해 달라고 한 뒤, 그만두고 다시
          올리면 쓰던 비밀번호로 로그인합니다.
        </Alert>
      )}
    </>
  );
}

const LABELS: Record<keyof MovingCounts, string> = {
  members: "회원",
  boards: "게시판",
  items: "글",
  comments: "댓글",
  files: "첨부파일",
  notes: "쪽지",
};

function CountList({ counts, filesBytes }: { counts: MovingCounts; filesBytes?: number }) {
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
function IssueList({ issues, left = [] }: { issues: MovingView["issues"]; left?: MovingView["left"] }) {
  const groups = [
    { title: "오지 않는 것", rows: issues.filter(({ isLoss }) => isLoss) },
    { title: "함께 오지 않는 항목(값이 있는 기록의 수)", rows: left },
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
                  <p className="text-sm text-gray-60">
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

const WORKING: readonly MovingStatus[] = ["checking", "committing", "undoing"];
const PAUSE_MS = 1500;

const isWorking = (status: MovingStatus): boolean => WORKING.includes(status);

/** Runs the steps while the page is open; the scheduled job continues without it. */
function useMovingSteps(id: string, status: MovingStatus, progress: number, text: string) {
  const { revalidate } = useRevalidator();
  const [shown, setShown] = useState({ progress, text });
  useEffect(() => {
    if (!isWorking(status)) return undefined;
    let isLeft = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const step = async () => {
      try {
        const now = await callApi(api.admin.moving[":id"].step.$post({ param: { id }, json: {} }));
        if (isLeft) return;
        setShown({ progress: now.progress, text: now.progressText });
        if (now.status !== status) return void revalidate();
      } catch {
        // A failed step is left to the scheduled job; the next poll shows the progress.
      }
      if (!isLeft) timer = setTimeout(() => void step(), PAUSE_MS);
    };
    void step();
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [id, status, revalidate]);
  return shown;
}
