import { useWords } from "#app/lib/page-language.ts";
import FileDown from "lucide-react/icons/file-down";
import FileUp from "lucide-react/icons/file-up";
import Plus from "lucide-react/icons/plus";
import { useState } from "react";
import { type Location, type ShouldRevalidateFunctionArgs, useNavigate, useSearchParams } from "react-router";
import {
  type AlumniListChoice,
  alumniListPath,
  isAlumniFiltered,
  readAlumniChoice,
  searchWithoutLook,
} from "#app/features/alumni/list-choice.ts";
import { OwnFieldsProvider } from "#app/features/alumni/column-label.tsx";
import { AlumniExportDialog } from "#app/features/alumni/export-dialog.tsx";
import { AlumniFilterForm } from "#app/features/alumni/filter-form.tsx";
import { AlumniListBar, IssueLinks, PaperLinks } from "#app/features/alumni/list-bar.tsx";
import { SavedViews } from "#app/features/alumni/saved-views.tsx";
import { AlumniSelectionBar } from "#app/features/alumni/selection-bar.tsx";
import { AlumniSelectionProvider, useSelectedAlumni } from "#app/features/alumni/selection-context.tsx";
import { AlumniCards, AlumniTable } from "#app/features/alumni/alumni-table.tsx";
import { MailingButton } from "#app/features/mailing/mailing-button.tsx";
import { AlumniPersonPanel } from "#app/features/alumni/person-panel.tsx";
import { DEEDS_PATH } from "#app/features/alumni/undo-deed.ts";
import { formatCount, formatDateTime } from "#app/lib/format.ts";
import { PageHeader } from "#app/ui/page-header.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { SigninGate } from "#app/features/form/signin-gate.tsx";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { ActionMenu } from "#app/ui/action-menu.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { TextLink } from "#app/ui/inline.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { cx } from "#app/ui/cx.ts";
import { Empty } from "#app/ui/empty.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { selectionCount } from "#worker/contract/alumni/conditions.ts";
import { listAlumniQuery } from "#worker/contract/alumni/input.ts";
import { parseInput } from "#worker/contract/kernel/parse-input.ts";
import { getAlumniListPage, type AlumniReadLimit, type AlumniListPage } from "#worker/domain/alumni/list.server.ts";
import type { Route } from "./+types/list";
import { useToastedAction } from "#app/features/form/use-toasted-action.ts";
import { api, callApi, ONCE } from "#app/lib/api.ts";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) =>
  getAlumniListPage(scope, parseInput(listAlumniQuery, Object.fromEntries(new URL(request.url).searchParams))),
);

/** Opening a panel or changing columns needs no reload. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  const asked = ({ search }: URL) => searchWithoutLook(search, "person");
  const moved = currentUrl.href !== nextUrl.href;
  return moved && asked(currentUrl) === asked(nextUrl) ? false : defaultShouldRevalidate;
}

const screenOf = ({ pathname, search }: Location) => pathname + searchWithoutLook(search);

export const meta = titledMeta("{동문주소록}");

export default function AlumniList({ loaderData }: Route.ComponentProps) {
  const say = useWords();
  const { people, options, mine, can, alumniSettings, binDays, views, readLimit, unusable } = loaderData;
  const choice = readAlumniChoice(useSearchParams()[0], alumniSettings);
  const person = [...people.content, ...(mine ? [mine] : [])].find((each) => each.id === choice.person) ?? null;
  const adding = choice.person === "new" && can.write;
  const panel = person !== null || adding;
  const isFiltered = isAlumniFiltered(choice);
  return (
    <OwnFieldsProvider own={alumniSettings.own}>
      <AlumniSelectionProvider choice={choice} people={people}>
        <PageHeader
          title={say("{동문주소록}")}
          description={
            !isFiltered &&
            say("{동문}의 소속과 연락처를 찾아보실 수 있습니다. 연락처는 본인이 공개한 범위에서 보입니다.")
          }
          actions={<AlumniActions choice={choice} mine={mine} can={can} total={people.totalElements} />}
        />
        <SigninGate className="container-page pt-2 pb-16 md:pb-24" screenOf={screenOf}>
          <AlumniFilterForm choice={choice} options={options} can={can} unusable={unusable}>
            <SavedViews views={views} can={can} choice={choice} />
          </AlumniFilterForm>
          <div className={cx("mt-2", panel && "grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_25rem]")}>
            {panel && (
              <div className="min-w-0 lg:sticky lg:top-[calc(var(--header-height)+1rem)] lg:order-last">
                <AlumniPersonPanel
                  key={person?.id ?? "new"}
                  person={person}
                  choice={choice}
                  can={can}
                  binDays={binDays}
                />
              </div>
            )}
            <div className="page-part min-w-0">
              {!mine && !can.write && !isFiltered && <JoinHint />}
              {readLimit && <ReadLimitNotice limit={readLimit} />}
              <AlumniListBar people={people} choice={choice} can={can} />
              <AlumniSelectionBar choice={choice} total={people.totalElements} can={can} binDays={binDays} />
              {people.content.length > 0 ? (
                <>
                  <AlumniTable people={people.content} choice={choice} canWrite={can.write} />
                  <AlumniCards people={people.content} choice={choice} />
                </>
              ) : (
                !readLimit?.isUsedUp && <NoAlumni choice={choice} />
              )}
              <Pager
                list={people}
                href={(number) => alumniListPath(choice, { page: String(number), person: "" })}
                label={say("{동문주소록} 페이지 이동")}
              />
            </div>
          </div>
        </SigninGate>
      </AlumniSelectionProvider>
    </OwnFieldsProvider>
  );
}

/** For a member whose account is joined with nobody of the book. */
function JoinHint() {
  const say = useWords();
  return (
    <Alert className="mb-4">
      {say("{동문주소록}에 회원님의 정보가 있으면 운영사무국에 연결을 요청해 주십시오. ")}
      연결되면 이 화면에서 내 정보를 직접 고치실 수 있습니다.{" "}
      <TextLink to="/Mypage/Inquiries/New">1:1 문의하기</TextLink>
    </Alert>
  );
}

function ReadLimitNotice({ limit: { isUsedUp, max, until } }: { limit: AlumniReadLimit }) {
  const time = formatDateTime(until);
  return (
    <Alert
      tone="warning"
      className="mb-6"
      title={isUsedUp ? `${time}까지는 목록을 더 보여 드리지 않습니다` : "곧 목록을 더 보실 수 없게 됩니다"}
    >
      <p>
        명단이 통째로 옮겨지지 않도록 한 시간에 {formatCount(max)}명까지 보여 드립니다.{" "}
        {isUsedUp
          ? "그동안에도 내 정보를 보고 고치실 수 있고, 이름으로 찾으실 수 있습니다."
          : `${time}부터 다시 ${formatCount(max)}명을 보실 수 있습니다.`}
      </p>
    </Alert>
  );
}

interface AlumniActionsProps extends Pick<AlumniListPage, "mine" | "can"> {
  choice: AlumniListChoice;
  total: number;
}

function AlumniActions({ choice, mine, can, total }: AlumniActionsProps) {
  const { selection } = useSelectedAlumni();
  const say = useWords();
  const [exporting, setExporting] = useState(false);
  const hasPeople = total > 0;
  const target = selection ?? { filter: choice.filter };
  const handed = { segment: target, count: selection ? selectionCount(selection, total) : total };
  if (!mine && !can.write && !can.remove && !can.export && !can.import) return null;
  return (
    <div className="relative flex flex-wrap justify-end gap-2">
      {mine && (
        <ButtonLink size="sm" to={alumniListPath(choice, { person: mine.id })} preventScrollReset>
          내 정보
        </ButtonLink>
      )}
      {(can.import || (hasPeople && (can.export || can.mail))) && (
        <ActionMenu label="파일과 인쇄">
          {can.import && (
            <ButtonLink size="sm" to="/Alumni/Import">
              <FileUp aria-hidden="true" className="size-4.5" />
              가져오기
            </ButtonLink>
          )}
          {can.export && hasPeople && (
            <Button size="sm" className="needs-script" onClick={() => setExporting(true)}>
              <FileDown aria-hidden="true" className="size-4.5" />
              내보내기
            </Button>
          )}
          {hasPeople && <PaperLinks handed={handed} can={can} />}
        </ActionMenu>
      )}
      {hasPeople && (can.mail || can.certify || can.charge) && (
        <ActionMenu label="연락과 발급">
          {can.mail && <MailingButton className="needs-script" whom={{ source: "alumni", target }} />}
          {can.mail && <RoundButton className="needs-script" target={target} />}
          <IssueLinks handed={handed} can={can} />
        </ActionMenu>
      )}
      {(can.write || can.import || can.remove) && (
        <ActionMenu label="정리">
          {can.write && (
            <ButtonLink size="sm" to="/Alumni/Duplicates">
              중복 의심
            </ButtonLink>
          )}
          {(can.write || can.import) && (
            <ButtonLink size="sm" to={DEEDS_PATH}>
              되돌리기
            </ButtonLink>
          )}
          {can.remove && (
            <ButtonLink size="sm" to="/Alumni/Bin">
              휴지통
            </ButtonLink>
          )}
        </ActionMenu>
      )}
      {can.write && (
        <ButtonLink size="sm" variant="primary" to={alumniListPath(choice, { person: "new" })} preventScrollReset>
          <Plus aria-hidden="true" className="size-4.5" />
          {say("{동문} 추가")}
        </ButtonLink>
      )}
      <AlumniExportDialog
        choice={choice}
        total={total}
        selection={selection}
        open={exporting}
        onClose={() => setExporting(false)}
      />
    </div>
  );
}

function NoAlumni({ choice }: { choice: AlumniListChoice }) {
  const say = useWords();
  return (
    <Empty
      className="border-y border-gray-20"
      action={
        (isAlumniFiltered(choice) || choice.page !== "1") && (
          <ButtonLink to="/Alumni" size="sm">
            전체 보기
          </ButtonLink>
        )
      }
    >
      {isAlumniFiltered(choice) ? say("조건에 맞는 {동문:이/가} 없습니다.") : say("등록된 {동문:이/가} 없습니다.")}
    </Empty>
  );
}

type RoundTarget = Parameters<typeof api.admin.round.$put>[0]["json"]["target"];

function RoundButton({ target, className }: { target: RoundTarget; className?: string }) {
  const navigate = useNavigate();
  const { busy, run } = useToastedAction();
  const begin = () =>
    run(async () => {
      const { id } = await callApi(api.admin.round.$put({ json: { target }, header: ONCE }));
      await navigate(`/Admin/Rounds/${id}`);
    }, null);
  return (
    <Button size="sm" className={className} busy={busy} onClick={() => void begin()}>
      정보 확인 요청
    </Button>
  );
}
