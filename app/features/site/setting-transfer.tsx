import { useRef, useState } from "react";
import { ConsoleSection } from "#app/features/form/console-header.tsx";
import { useAction } from "#app/features/form/use-action.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { QuestionDialog, type Question } from "#app/features/form/question.tsx";
import { AppError } from "#worker/contract/kernel/errors.ts";
import type { SettingChange, SettingImport } from "#worker/contract/site/view.ts";
import type { SettingDocument } from "#worker/contract/site/transfer-input.ts";
import { koreanDayStamp } from "#worker/contract/kernel/korea.ts";

const FILE_MAX_BYTES = 1_000_000;
const SECTIONS: Record<SettingChange["section"], string> = {
  site: "사이트 정보",
  authentication: "가입 설정",
  menu: "메뉴",
  identity: "모양과 용어",
  logo: "로고",
  pages: "안내 페이지",
  alumni: "주소록 설정",
  profileFields: "가입 항목",
  boards: "게시판",
  centers: "지역 기관",
  alumniFields: "주소록 항목",
  quickLinks: "첫 화면 바로가기",
  mailTemplates: "메일 문구",
  limits: "이용 제한",
  roles: "역할",
};

interface ChosenFile {
  fileName: string;
  document: SettingDocument;
  preview: SettingImport;
}

/** Takes the settings out as a file, and another site's in after a look at what would change. */
export function SettingTransfer() {
  const file = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<ChosenFile | null>(null);
  const { busy, run, clear, fields, message } = useAction();
  const exported = async () => {
    const blob = new Blob([JSON.stringify(await callApi(api.admin.setting.export.$get()), null, 2)]);
    const url = URL.createObjectURL(blob);
    const link = document.createElement("a");
    link.href = url;
    link.download = `설정_${koreanDayStamp(new Date())}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };
  const choose = async (given: File | undefined) => {
    if (!given) return;
    clear();
    await run(async () => {
      const document = await readSettingDocument(given);
      const preview = await callApi(api.admin.setting.import.$post({ json: { document } }));
      setChosen({ fileName: given.name, document, preview });
    }, "설정 파일을 읽었습니다. 바뀌는 내용을 확인해 주십시오.");
    if (file.current) file.current.value = "";
  };
  const question = chosen && importQuestion(chosen);
  return (
    <ConsoleSection title="설정 내보내기와 불러오기">
      <p className="max-w-2xl text-gray-70">
        사이트 정보, 모양과 용어, 로고, 안내 페이지의 구성, 메뉴, 첫 화면과 바로가기, 게시판, 지역 기관, 가입 설정과
        항목, 주소록 설정과 항목, 메일 문구, 이용 제한, 역할을 파일 하나로 옮깁니다. 글과 회원, 주소록의 사람, 안내
        페이지와 약관의 글은 들어 있지 않습니다. 불러올 때는 바뀌는 내용을 먼저 보여 드리고, 파일에 없는 것은 그대로
        둡니다.
      </p>
      {message && (
        <Alert tone="error" className="mt-4">
          {message}
          {Object.entries(fields).map(([path, problem]) => (
            <span key={path} className="block">
              {path.replace(/^document\.?/, "")}: {problem}
            </span>
          ))}
        </Alert>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button size="sm" busy={busy} onClick={() => run(exported, "설정 파일을 내려받았습니다.")}>
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
          onChange={(event) => void choose(event.target.files?.[0])}
        />
      </div>
      <QuestionDialog question={question} onClose={() => setChosen(null)} />
    </ConsoleSection>
  );
}

function importQuestion({ fileName, document, preview: { changes, fingerprint } }: ChosenFile): Question {
  const nothing = changes.length === 0;
  return {
    label: nothing ? "확인" : "모두 바꾸기",
    title: nothing ? "바뀌는 설정이 없습니다" : `설정 ${changes.length}가지를 바꾸시겠습니까?`,
    text: (
      <>
        <p className="mb-3 text-gray-70">{fileName}</p>
        <ul className="max-h-72 divide-y divide-gray-20 overflow-y-auto border-y border-gray-20">
          {changes.map((change) => (
            <li key={`${change.section} ${change.code}`} className="py-2">
              <strong className="font-semibold">
                {SECTIONS[change.section]}
                {change.code && ` ${change.code}`}
              </strong>{" "}
              {change.kind === "new" ? "추가" : "변경"}
              <span className="block text-sm break-words text-gray-60">{summarizeChange(change)}</span>
            </li>
          ))}
        </ul>
      </>
    ),
    work: async () => {
      if (!nothing) await callApi(api.admin.setting.import.$post({ json: { document, fingerprint } }));
    },
    done: nothing ? null : "설정을 불러왔습니다.",
  };
}

/** @throws Error with a Korean message for a file that is no settings file */
async function readSettingDocument(file: File): Promise<SettingDocument> {
  if (file.size > FILE_MAX_BYTES) throw new AppError("PAYLOAD_TOO_LARGE", { message: "설정 파일이 너무 큽니다." });
  try {
    return JSON.parse(await file.text()) as SettingDocument;
  } catch (cause) {
    throw new AppError("INVALID_INPUT", { message: "설정 파일(JSON)이 아닙니다. 내보낸 파일을 골라 주십시오.", cause });
  }
}

const SETTING_NAMES: Record<string, string> = {
  code: "코드",
  roleCode: "코드",
  off: "쓰지 않는 항목",
  shown: "목록에 처음 보이는 열",
  sort: "목록의 처음 정렬",
  ownEntry: "회원 본인의 정보",
  openable: "회원이 공개할 수 있는 항목",
  exportHours: "내보낸 파일 보관(시간)",
  undoDays: "되돌릴 수 있는 기간(일)",
  order: "차례",
  kind: "종류",
  choices: "고를 말",
  access: "보는 사람",
  personEdits: "본인이 고침",
  inList: "목록에 보임",
  links: "바로가기 구성",
  subject: "제목",
  text: "본문",
  boardName: "게시판 이름",
  boardType: "모양",
  categories: "분류",
  pageSize: "한 페이지의 글 수",
  useComment: "댓글",
  useSecret: "비밀글",
  useEvents: "일정",
  fileMaxCount: "첨부파일 개수",
  fileMaxSize: "첨부파일 크기(바이트)",
  fileExtensions: "올릴 수 있는 형식",
  boardCode: "코드",
  regionCode: "코드",
  regionName: "지역 이름",
  centerName: "기관 이름",
  director: "책임자",
  address: "주소",
  phone: "전화",
  fax: "팩스",
  url: "누리집 주소",
  directions: "오시는 길",
  introduction: "소개글",
  permissions: "권한",
  roleName: "이름",
  name: "이름",
  required: "필수",
  detail: "고를 항목",
  inputType: "입력 방식",
  isClosed: "닫음",
  entries: "메뉴 구성",
  rules: "입력 규칙",
  authType: "로그인 방법",
  signupApproval: "가입 승인",
  roleCodeForGuest: "방문자 역할",
  siteName: "사이트 이름",
  productName: "사업 이름",
  words: "용어",
  color: "색",
  logo: "로고",
  hasCenters: "지역 기관",
  hasCaseReport: "연계 서비스",
  home: "첫 화면 구성",
  actions: "첫 화면 단추",
  homeBoards: "첫 화면 게시판",
  footerLinks: "바닥글 링크",
  footerText: "바닥글 문구",
  synonyms: "같은 뜻의 말",
  pages: "안내 페이지 구성",
  description: "소개",
  contact: "연락처",
  copyright: "저작권 표시",
};

function summarizeChange({ before, after }: SettingChange): string {
  return Object.entries(after)
    .flatMap(([key, value]) => {
      const [name, old] = [SETTING_NAMES[key] ?? key, before[key]];
      if (Array.isArray(value) && value.every((each) => typeof each === "string")) {
        if (!Array.isArray(old)) return `${name}: ${value.join(", ") || "없음"}`;
        const more = value.filter((each) => !old.includes(each)).join(", ");
        const less = old.filter((each) => !value.includes(each)).join(", ");
        if (!more && !less) return `${name}: 차례`;
        return [...(more ? [`더하는 ${name}: ${more}`] : []), ...(less ? [`빼는 ${name}: ${less}`] : [])];
      }
      if (typeof value === "object") return name;
      return old === undefined ? `${name}: ${String(value)}` : `${name}: ${String(old)} → ${String(value)}`;
    })
    .join(" · ");
}
