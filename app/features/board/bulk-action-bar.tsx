import { useState } from "react";
import { type Question, QuestionButton } from "#app/features/form/action.tsx";
import type { BoardLink } from "#worker/contract/board/view.ts";
import { boardOptions } from "#app/features/board/board-paths.ts";
import { useRootData } from "#app/lib/page-language.ts";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Field, Select } from "#app/ui/field.tsx";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { cx } from "#app/ui/cx.ts";

interface BulkActionBarProps {
  boardCode: string;
  openReports: number;
  chosen: readonly number[];
  onDone: () => void;
}

export function BulkActionBar({ boardCode, openReports, chosen, onDone }: BulkActionBarProps) {
  const [target, setTarget] = useState("");
  const boards = useRootData<{ boards: BoardLink[] }>()?.boards.filter((board) => board.boardCode !== boardCode) ?? [];
  const itemNos = [...chosen];
  const bulk = api["board-item"][":boardCode"].bulk;
  const param = { boardCode };
  const count = <p>고른 글: {formatCount(chosen.length)}건</p>;
  const deleteQuestion: Question<{ changed: number }> = {
    label: "삭제",
    title: "고른 글을 삭제하시겠습니까?",
    text: (
      <>
        {count}
        <p className="mt-1">휴지통에서 되살릴 수 있습니다.</p>
      </>
    ),
    danger: true,
    work: () => callApi(bulk.$post({ param, json: { action: "delete", itemNos } })),
    done: ({ changed }) => `${formatCount(changed)}건을 휴지통으로 보냈습니다.`,
    onDone,
  };
  const moveQuestion: Question<{ changed: number }> = {
    label: "이동",
    title: "다른 게시판으로 옮기시겠습니까?",
    text: (
      <>
        {count}
        <p className="mt-1 text-sm text-gray-60">옮긴 글은 그 게시판의 새 번호를 받습니다.</p>
        <Field label="옮길 게시판" className="mt-4" required>
          <Select
            value={target}
            onChange={(event) => setTarget(event.target.value)}
            placeholder="게시판을 골라 주십시오"
            options={boardOptions(boards)}
          />
        </Field>
      </>
    ),
    work: () => {
      if (!target) throw new AppError("INVALID_INPUT", { message: "옮길 게시판을 골라 주십시오." });
      return callApi(bulk.$post({ param, json: { action: "move", itemNos, toBoardCode: target } }));
    },
    done: ({ changed }) => `${formatCount(changed)}건을 옮겼습니다.`,
    onDone,
  };
  return (
    <div role="group" aria-label="게시판 관리" className="mt-4 flex flex-wrap gap-2 print:hidden">
      <QuestionButton question={deleteQuestion} disabled={chosen.length === 0}>
        선택 삭제
      </QuestionButton>
      {boards.length > 0 && (
        <QuestionButton question={moveQuestion} disabled={chosen.length === 0}>
          선택 이동
        </QuestionButton>
      )}
      <ButtonLink size="sm" to={`/board/${boardCode}/Bin`}>
        휴지통
      </ButtonLink>
      <ButtonLink size="sm" to={`/board/${boardCode}/Reports`}>
        신고{openReports > 0 && ` ${formatCount(openReports)}건`}
      </ButtonLink>
      {(["xlsx", "csv"] as const).map((format) => (
        <ButtonLink
          key={format}
          size="sm"
          reloadDocument
          to={`/api/board-item/download-data/${boardCode}?format=${format}`}
          download
        >
          {format === "xlsx" ? "엑셀" : "CSV"} 내려받기
        </ButtonLink>
      ))}
    </div>
  );
}

export interface RowSelection {
  chosen: readonly number[];
  toggle: (itemNo: number, on: boolean) => void;
}

interface RowTickProps {
  row: { itemNo: number; title: string };
  selection: RowSelection | undefined;
  className?: string;
}

export function RowTick({ row, selection, className }: RowTickProps) {
  if (!selection) return null;
  return (
    <input
      type="checkbox"
      aria-label={`${row.title} 고르기`}
      checked={selection.chosen.includes(row.itemNo)}
      onChange={(event) => selection.toggle(row.itemNo, event.target.checked)}
      className={cx("size-6 shrink-0 accent-primary-60", className)}
    />
  );
}
