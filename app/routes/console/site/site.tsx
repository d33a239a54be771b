import { useRef, useState } from "react";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { FieldsForm } from "#app/features/form/row-fields.tsx";
import { type Question, QuestionDialog, useAction } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Button } from "#app/ui/button.tsx";
import { getCaseReportSetting } from "#worker/domain/site/menu-setting.server.ts";
import { getSiteSetting } from "#worker/domain/site/setting.server.ts";
import { CASE_REPORT_FIELDS } from "#worker/contract/case-report/fields.ts";
import type { Route } from "./+types/site";
import { SITE_FIELDS } from "#worker/contract/kernel/setting/site-fields.ts";
import { SETTING_SECTION_NAMES } from "#worker/contract/kernel/setting/setting-sections.ts";
import { SETTING_FILE_LIMITS } from "#worker/contract/site/rules.ts";
import { SETTING_KIND_NAMES, settingPlace, summarizeChange } from "#app/features/site/setting-labels.ts";
import { now } from "#app/lib/clock.ts";
import { Alert, ErrorAlert } from "#app/ui/alert.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { koreanDayStamp } from "#worker/contract/kernel/korea.ts";
import type { SettingFile } from "#worker/contract/site/transfer-input.ts";
import type { SettingImport, SettingStay } from "#worker/contract/site/view.ts";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const [site, caseReport] = await Promise.all([getSiteSetting(scope), getCaseReportSetting(scope)]);
  return { ...site, caseReport };
});

export default function SitePage({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <ConsoleHeader description="모든 페이지의 위와 아래에 나오는 이름과 연락처, 회비를 받는 계좌입니다." />
      <FieldsForm
        fields={SITE_FIELDS}
        latest={loaderData}
        save={(typed, version) => callApi(api.admin.setting.site.$patch({ json: { ...typed, version } }))}
        done="사이트 정보를 저장하였습니다."
        className="max-w-2xl"
        footClassName="mt-8"
      />
      <ConsoleSection title="거주지별 등록 현황">
        <FieldsForm
          fields={CASE_REPORT_FIELDS}
          latest={loaderData.caseReport}
          save={(typed, version) => callApi(api.admin.setting["case-report"].$patch({ json: { ...typed, version } }))}
          done="표시 기준을 저장하였습니다."
          submitLabel="표시 기준 저장"
          className="max-w-2xl"
          footClassName="mt-6"
        />
      </ConsoleSection>
      <SettingTransfer />
    </>
  );
}

interface ChosenFile {
  fileName: string;
  document: SettingFile;
  preview: SettingImport;
}

function SettingTransfer() {
  const file = useRef<HTMLInputElement>(null);
  const [withTexts, setWithTexts] = useState(true);
  const [chosen, setChosen] = useState<ChosenFile | null>(null);
  const [read, setRead] = useState<Record<string, unknown>>({});
  // A reload is not needed and would delay reading a file chosen right after.
  const { busy, run, clear, fields, message } = useAction({ reloads: "never" });
  const exporting = useAction({ reloads: "never" });
  const exported = async () => {
    const query = withTexts ? {} : { texts: "none" as const };
    const document = await callApi(api.admin.setting.export.$get({ query }));
    const url = URL.createObjectURL(new Blob([JSON.stringify(document, null, 1)]));
    const link = window.document.createElement("a");
    link.href = url;
    link.download = `설정_${koreanDayStamp(new Date(now()))}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };
  const choose = async (given: File | undefined) => {
    if (!given) return;
    clear();
    await run(async () => {
      const document = await readSettingFile(given);
      setRead({ ...document });
      const preview = await callApi(api.admin.setting.import.$post({ json: { document } }));
      setChosen({ fileName: given.name, document, preview });
    }, "설정 파일을 읽었습니다. 바뀌는 내용을 확인해 주십시오.");
  };
  const question = chosen && importQuestion(chosen);
  return (
    <ConsoleSection title="설정 내보내기와 불러오기">
      <p className="max-w-2xl text-gray-70">
        이 사이트의 설정을 모두 파일 하나로 옮깁니다. 사이트 정보와 모양, 로고, 메뉴, 첫 화면, 팝업, 안내 페이지와 동의
        문서, 게시판, 지역 기관, 가입 설정, 주소록 설정, 보유 기간, 메일 문구, 역할이 들어갑니다. 게시글과 회원,
        주소록의 사람은 들어가지 않습니다.
      </p>
      <ul className="mt-3 max-w-2xl list-disc space-y-1 pl-5 text-gray-70">
        <li>불러올 때는 바뀌는 내용을 먼저 보여 드리고, 파일에 없는 것은 그대로 둡니다.</li>
        <li>
          약관과 개인정보 처리방침, 동의 문서는 이 사이트에 아직 없을 때만 바로 시행합니다. 약관과 처리방침이 이미
          있으면 초안으로 넣고, 동의 문서가 이미 있으면 그대로 둡니다.
        </li>
        <li>글에 넣은 사진과 첨부파일은 옮기지 않습니다. 옮기지 않은 것은 이름을 알려 드립니다.</li>
        <li>되돌릴 수 있도록, 불러오기 전에 지금 설정을 한 번 내보내 두시기 바랍니다.</li>
      </ul>
      <ErrorAlert>{exporting.problem}</ErrorAlert>
      {message && (
        <Alert tone="error" className="mt-4">
          {message}
          {Object.entries(fields).map(([path, problem]) => (
            <span key={path} className="block">
              {settingPlace(path, read)}: {problem}
            </span>
          ))}
        </Alert>
      )}
      <div className="mt-4 max-w-2xl">
        <Checkbox
          label="팝업과 동의 문서, 안내 페이지의 글도 함께"
          checked={withTexts}
          onChange={(event) => setWithTexts(event.currentTarget.checked)}
        />
      </div>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button size="sm" busy={exporting.busy} onClick={() => exporting.run(exported, "설정 파일을 내려받았습니다.")}>
          설정 내보내기
        </Button>
        <Button size="sm" busy={busy} onClick={() => file.current?.click()}>
          설정 불러오기
        </Button>
        <input
          ref={file}
          type="file"
          accept=".json,application/json"
          aria-label="설정 파일"
          className="sr-only"
          tabIndex={-1}
          onChange={(event) => {
            const [given] = event.target.files ?? [];
            event.target.value = "";
            void choose(given);
          }}
        />
      </div>
      <QuestionDialog question={question} onClose={() => setChosen(null)} />
    </ConsoleSection>
  );
}

const rowName = ({ section, code, name }: Pick<SettingStay, "section" | "code" | "name">) =>
  `${SETTING_SECTION_NAMES[section]}${name || code ? ` ${name || code}` : ""}`;

function importQuestion({ fileName, document, preview }: ChosenFile): Question {
  const { changes, stays, fingerprint } = preview;
  const count = changes.filter(({ kind }) => kind !== "kept").length;
  const nothing = count === 0;
  return {
    label: nothing ? "확인" : "모두 바꾸기",
    title: nothing ? "바뀌는 설정이 없습니다" : `설정 ${count}가지를 바꾸시겠습니까?`,
    text: (
      <>
        <p className="mb-3 text-gray-70">{fileName}</p>
        <ul className="max-h-72 divide-y divide-gray-20 overflow-y-auto border-y border-gray-20">
          {changes.map((change) => (
            <li key={`${change.section} ${change.code}`} className="py-2">
              <strong className="font-semibold">{rowName(change)}</strong> {SETTING_KIND_NAMES[change.kind]}
              <span className="block text-sm text-gray-60">{summarizeChange(change)}</span>
              {change.follows.map((sentence) => (
                <span key={sentence} className="block text-sm text-gray-90">
                  {sentence}
                </span>
              ))}
            </li>
          ))}
        </ul>
        <StayingRows stays={stays} />
      </>
    ),
    work: async () => {
      if (!nothing) await callApi(api.admin.setting.import.$post({ json: { document, fingerprint } }));
    },
    done: nothing ? null : "설정을 불러왔습니다.",
  };
}

function StayingRows({ stays }: { stays: readonly SettingStay[] }) {
  if (stays.length === 0) return null;
  return (
    <details className="mt-3">
      <summary className="cursor-pointer text-sm">바뀌지 않는 것 {stays.length}가지</summary>
      <ul className="mt-2 max-h-48 overflow-y-auto text-sm text-gray-70">
        {stays.map((row) => (
          <li key={`${row.section} ${row.code}`}>
            {rowName(row)} {row.inFile ? "(파일과 같음)" : "(파일에 없음)"}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** @throws AppError with a Korean message unless it is a settings file */
async function readSettingFile(file: File): Promise<SettingFile> {
  // Indentation makes the file larger than the request, so its limit is doubled.
  if (file.size > 2 * SETTING_FILE_LIMITS.bytes)
    throw new AppError("PAYLOAD_TOO_LARGE", { message: "설정 파일이 너무 큽니다." });
  try {
    return JSON.parse(await file.text()) as SettingFile;
  } catch (cause) {
    throw new AppError("INVALID_INPUT", { message: "설정 파일이 아닙니다. 내보낸 파일을 골라 주십시오.", cause });
  }
}
