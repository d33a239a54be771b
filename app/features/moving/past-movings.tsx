import { ConsoleSection } from "#app/features/form/console-header.tsx";
import { QuestionButton, REASON_HINT } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { Badge, Time } from "#app/ui/inline.tsx";
import { MOVING_STATUS_LABELS } from "#worker/contract/moving/rules.ts";
import type { MovingRow } from "#worker/domain/moving/moving-view.server.ts";

const calls = api.admin.moving;

export function UndoMovingButton({ view, isPast = false }: { view: MovingRow; isPast?: boolean }) {
  return (
    <QuestionButton
      question={{
        label: "되돌리기",
        title: "이사를 되돌리시겠습니까?",
        danger: true,
        reasonHint: REASON_HINT,
        text: (
          <p className="mb-4">
            옮겨 온 회원, 글, 댓글, 첨부파일을 모두 지웁니다. 옮긴 뒤에 고친 글, 새 댓글이 달린 글, 로그인한 회원, 다른
            이사의 글이 있는 게시판과 그 작성자는 그대로 두고 알려 드립니다. <Time date={view.undoUntilDate ?? ""} />
            까지 되돌릴 수 있습니다.
          </p>
        ),
        work: (reason) =>
          callApi(calls[":id"].undo.$post({ param: { id: view.id }, json: { reason, version: view.version } })),
        done: "되돌리기 시작하였습니다.",
      }}
    >
      {isPast ? `${view.site} 되돌리기` : "통째로 되돌리기"}
    </QuestionButton>
  );
}

export function PastMovings({ movings }: { movings: MovingRow[] }) {
  return (
    <ConsoleSection title="지난 이사">
      <ul className="divide-y divide-gray-20 border-y border-gray-20">
        {movings.map((row) => (
          <li key={row.id} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2.5">
            <span>
              {row.site} <Badge tone="gray">{MOVING_STATUS_LABELS[row.status]}</Badge>
            </span>
            <span className="tabular text-gray-60">
              회원 {formatCount(row.committed.members)} · 글 {formatCount(row.committed.items)} · 파일{" "}
              {formatCount(row.committed.files)} · {row.createdUserName} ·{" "}
              <Time date={row.committedDate ?? row.createdDate} />
              {row.status === "undone" && row.kept > 0 && <span> · 그대로 둔 것 {formatCount(row.kept)}</span>}
            </span>
            {row.undoUntilDate && <UndoMovingButton view={row} isPast />}
          </li>
        ))}
      </ul>
    </ConsoleSection>
  );
}
