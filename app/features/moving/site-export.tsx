import { useState } from "react";
import { ConsoleSection } from "#app/features/form/console-header.tsx";
import { QuestionButton, REASON_HINT, useAction } from "#app/features/form/action.tsx";
import { saveResponseFile } from "#app/features/form/save-response-file.ts";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { formatBytes } from "#worker/contract/kernel/text.ts";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Button } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import type { SiteExportPart } from "#worker/domain/moving/site-export.server.ts";

const calls = api.admin.moving.export;
const KINDS: Record<SiteExportPart["kind"], (count: string) => string> = {
  members: (count) => `회원 ${count}명`,
  items: (count) => `글 ${count}건과 댓글`,
  files: (count) => `첨부파일과 그림 ${count}개`,
};

interface PreparedExport {
  withPasswords: boolean;
  parts: SiteExportPart[];
  reason: string;
}

export function SiteExport() {
  const [withPasswords, setWithPasswords] = useState(false);
  const [prepared, setPrepared] = useState<PreparedExport | null>(null);
  return (
    <ConsoleSection title="이 사이트를 내보내기">
      <p className="mb-4 max-w-2xl text-gray-80">
        회원, 글, 댓글, 첨부파일을 모두 RDX 형식의 zip으로 내려받습니다. 라이믹스처럼 RDX를 읽는 프로그램이나 이
        프로그램으로 만든 다른 사이트가 읽고, 받아 둔 옛 쪽지도 들어 있습니다. 휴지통의 글은 빠지고, 회원과 게시판의 글,
        주소록은 각 화면에서 엑셀로 내보냅니다.
      </p>
      <div className="mb-5 max-w-2xl">
        <Checkbox
          label="회원의 비밀번호도 담기"
          checked={withPasswords}
          aria-describedby="export-passwords-hint"
          onChange={(event) => {
            setWithPasswords(event.target.checked);
            setPrepared(null);
          }}
        />
        <p id="export-passwords-hint" className="text-sm text-gray-60">
          암호화한 값만 담깁니다. 이 프로그램으로 만든 사이트에 이 사이트의 ‘비밀번호 보호’ 값을 ‘비밀번호 보호(이전
          값)’로 넣어 두면 회원은 쓰던 비밀번호로 로그인합니다. 그 값이 다르거나 다른 프로그램이면 쓸모가 없어, 회원은
          ‘비밀번호 찾기’로 새로 정합니다.
        </p>
      </div>
      <QuestionButton
        question={{
          label: "내보내기 준비",
          title: "사이트 전체를 내보내시겠습니까?",
          text: (
            <p className="mb-4">
              모든 회원의 개인정보와 비밀글이 들어 있습니다. 받은 파일을 안전하게 보관하십시오.
              {withPasswords &&
                " 암호화한 비밀번호도 들어 있습니다. ‘비밀번호 보호’ 값과 같은 곳에 두지 말고, 옮긴 뒤에는 지우십시오."}
            </p>
          ),
          reasonHint: REASON_HINT,
          work: async (reason) => ({
            withPasswords,
            parts: await callApi(calls.parts.$post({ json: {} })),
            reason,
          }),
          done: null,
          reloads: "never",
          onDone: setPrepared,
        }}
      />
      {prepared && <PartList key={String(prepared.withPasswords)} {...prepared} />}
    </ConsoleSection>
  );
}

function PartList({ withPasswords, parts, reason }: PreparedExport) {
  const { busy, run, problem } = useAction({ reloads: "never" });
  const [saved, setSaved] = useState<readonly number[]>([]);
  const save = async (part: SiteExportPart, partNo: number) => {
    const { kind, first, last } = part;
    const json = { kind, first, last, partNo, reason, withPasswords: withPasswords && kind === "members" };
    if (await run(() => saveResponseFile(calls.$post({ json })), "파일을 내려받았습니다."))
      setSaved((before) => [...before, partNo]);
  };
  return (
    <div className="mt-6 max-w-2xl">
      <h3 className="mb-2 text-base font-semibold text-gray-90">
        묶음 {formatCount(parts.length)}개를 차례로 받으십시오
      </h3>
      <ErrorAlert className="mb-4">{problem}</ErrorAlert>
      <ol className="divide-y divide-gray-20 border-y border-gray-20">
        {parts.map((part, index) => {
          const what = KINDS[part.kind](formatCount(part.count));
          return (
            <li key={`${part.kind} ${part.first}`} className="flex items-center justify-between gap-4 py-2">
              <span>
                {index + 1}. {what}
                {part.bytes !== null && ` (${formatBytes(part.bytes)})`}
                {saved.includes(index + 1) && <span className="ml-2 text-sm text-gray-60">받음</span>}
              </span>
              <Button size="sm" busy={busy} onClick={() => void save(part, index + 1)}>
                내려받기<span className="sr-only">: {what}</span>
              </Button>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
