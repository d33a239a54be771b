import { type Question, QuestionButton, REASON_HINT } from "#app/features/form/question.tsx";
import { saveResponseFile } from "#app/features/form/save-response-file.ts";
import { RUN_STATES } from "#app/features/operation/run-states.ts";
import { api } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Time } from "#app/ui/time.tsx";
import { formatBytes } from "#worker/contract/kernel/text.ts";
import type { BackupRow } from "#worker/contract/operation/view.ts";

export function BackupLine({ backup, canDownload }: { backup: BackupRow; canDownload: boolean }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 py-1.5">
      <span>
        {backup.name}{" "}
        {backup.status !== "ok" && (
          <Badge tone={RUN_STATES[backup.status].tone}>{RUN_STATES[backup.status].label}</Badge>
        )}
      </span>
      <span className="tabular ml-auto text-gray-60">
        {backup.status === "running" && `${Math.floor(backup.progress * 100)}% · `}
        {backup.interruptions > 0 && `중단 ${backup.interruptions}번 · `}
        {formatCount(backup.rows)}건 · {formatBytes(backup.bytes)} · 파일 {formatCount(backup.files)}개 ·{" "}
        <Time date={backup.finishedDate ?? backup.startedDate} format="datetime" />
      </span>
      {canDownload && backup.status === "ok" && (
        <QuestionButton question={downloadQuestion(backup)}>
          내려받기<span className="sr-only">: {backup.name} 백업</span>
        </QuestionButton>
      )}
      {backup.missingFiles > 0 && (
        <span className="w-full text-danger-60">저장소에 없는 파일 {formatCount(backup.missingFiles)}개</span>
      )}
      {backup.error && <span className="w-full text-danger-60">{backup.error}</span>}
    </li>
  );
}

const downloadQuestion = ({ name, bytes }: BackupRow): Question => ({
  label: "내려받기",
  title: `${name} 백업을 내려받으시겠습니까?`,
  text: (
    <div className="space-y-2">
      <p>
        모든 회원과 글, 주소록이 든 암호화된 파일입니다({formatBytes(bytes)}). 백업 열쇠가 없으면 아무도 열 수 없으므로,
        열쇠와 다른 곳에 보관해 주십시오. 첨부파일의 사본은 백업 저장소에 있으며 여기에는 들어 있지 않습니다.
      </p>
      <p>
        되살리려면 압축을 푼 폴더(보기에서는 backup)를 지정하여 다음과 같이 실행합니다. 비어 있는 새 사이트에만 되살릴
        수 있고, 설치할 때 정한 백업 열쇠와 비밀번호 열쇠가 있어야 합니다.
      </p>
      <code className="block rounded bg-gray-5 px-3 py-2 break-all">
        npm run restore -- {name} --from backup --without-files
      </code>
    </div>
  ),
  reasonHint: REASON_HINT,
  work: (reason) => saveResponseFile(api.admin.job.backup[":name"].export.$post({ param: { name }, json: { reason } })),
  done: "백업을 내려받았습니다.",
});
