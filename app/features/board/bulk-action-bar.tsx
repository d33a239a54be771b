import { useState } from "react";
import { useRevalidator } from "react-router";
import type { BoardLink } from "#worker/contract/board/view.ts";
import { useRootData } from "#app/lib/root-data.ts";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { Field } from "#app/ui/field.tsx";
import { Select } from "#app/ui/select.tsx";
import { toast } from "#app/ui/toast.tsx";
import { AppError, ERRORS } from "#worker/contract/kernel/errors.ts";

interface BulkActionBarProps {
  boardCode: string;
  openReports: number;
  chosen: readonly number[];
  onDone: () => void;
}

/** What a manager does with the rows that are ticked, and the ways to the bin, the reports and the export. */
export function BulkActionBar({ boardCode, openReports, chosen, onDone }: BulkActionBarProps) {
  const [act, setAct] = useState<"delete" | "move" | null>(null);
  const [target, setTarget] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const { revalidate } = useRevalidator();
  const boards = useRootData<{ boards: BoardLink[] }>()?.boards.filter((board) => board.boardCode !== boardCode) ?? [];
  const ask = (next: "delete" | "move") => {
    setError(null);
    setAct(next);
  };
  const run = async () => {
    if (act === "move" && !target) {
      setError("옮길 게시판을 골라 주십시오.");
      return;
    }
    setBusy(true);
    setError(null);
    try {
      const itemNos = [...chosen];
      const json =
        act === "move" ? { action: act, itemNos, toBoardCode: target } : { action: "delete" as const, itemNos };
      const { changed } = await callApi(api["board-item"][":boardCode"].bulk.$post({ param: { boardCode }, json }));
      toast(`${formatCount(changed)}건을 ${act === "move" ? "옮겼습니다" : "휴지통으로 보냈습니다"}.`, "success");
      setAct(null);
      onDone();
      await revalidate();
    } catch (thrown) {
      setError(thrown instanceof AppError ? thrown.message : ERRORS.INTERNAL_ERROR.message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div role="group" aria-label="게시판 관리" className="mt-4 flex flex-wrap gap-2 print:hidden">
      <Button size="sm" variant="danger" disabled={chosen.length === 0} onClick={() => ask("delete")}>
        선택 삭제
      </Button>
      {boards.length > 0 && (
        <Button size="sm" disabled={chosen.length === 0} onClick={() => ask("move")}>
          선택 이동
        </Button>
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
      <ConfirmDialog
        open={act !== null}
        onClose={() => setAct(null)}
        title={act === "move" ? "다른 게시판으로 옮기시겠습니까?" : "고른 글을 삭제하시겠습니까?"}
        confirmLabel={act === "move" ? "이동" : "삭제"}
        danger={act === "delete"}
        busy={busy}
        error={error}
        onConfirm={run}
      >
        <p>고른 글: {formatCount(chosen.length)}건</p>
        {act === "move" ? (
          <>
            <p className="mt-1 text-sm text-gray-60">옮긴 글은 그 게시판의 새 번호를 받습니다.</p>
            <Field label="옮길 게시판" className="mt-4" required>
              <Select
                value={target}
                onChange={(event) => setTarget(event.target.value)}
                placeholder="게시판을 골라 주십시오"
                options={boards.map((board) => ({ value: board.boardCode, label: board.boardName }))}
              />
            </Field>
          </>
        ) : (
          <p className="mt-1">휴지통에서 되살릴 수 있습니다.</p>
        )}
      </ConfirmDialog>
    </div>
  );
}
