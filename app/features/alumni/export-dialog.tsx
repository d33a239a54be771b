import { useWords } from "#app/lib/use-words.ts";
import { useRef, useState } from "react";
import { alumniFilterOf, type AlumniListChoice } from "#app/features/alumni/list-choice.ts";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { Button } from "#app/ui/button.tsx";
import { RadioGroup } from "#app/ui/choice.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Field } from "#app/ui/field.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";
import { Textarea } from "#app/ui/textarea.tsx";
import { useColumnLabel } from "#app/features/alumni/column-label.tsx";
import { bookFields } from "#worker/contract/alumni/alumni-settings.ts";
import { AppError, ERRORS } from "#worker/contract/kernel/errors.ts";
import { ALUMNI_TEXT_LIMITS, type AlumniSelection, selectionCount } from "#worker/contract/alumni/list.ts";

interface AlumniExportDialogProps {
  choice: AlumniListChoice;
  total: number;
  /** Null exports everything that the filter finds. */
  selection: AlumniSelection | null;
  open: boolean;
  onClose: () => void;
}

const FORMATS = [
  { value: "xlsx", label: "엑셀 (xlsx)" },
  { value: "csv", label: "CSV" },
];

const COLUMNS = [
  { value: "screen", label: "화면에 보이는 열" },
  { value: "all", label: "모든 항목" },
];

/** Exports what the screen shows; the audit log keeps the reason. */
export function AlumniExportDialog({ choice, total, selection, open, onClose }: AlumniExportDialogProps) {
  const say = useWords();
  const reason = useRef<HTMLTextAreaElement>(null);
  const labelOf = useColumnLabel();
  const [format, setFormat] = useState("xlsx");
  const [columnsOf, setColumnsOf] = useState("screen");
  const [busy, setBusy] = useState(false);
  const [missing, setMissing] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const count = selection ? selectionCount(selection, total) : total;
  const columns = [...(columnsOf === "all" ? bookFields(choice.view) : choice.columns), "id" as const];

  const send = async () => {
    const text = reason.current?.value.trim() ?? "";
    setMissing(text === "" ? "내보내는 사유를 적어 주십시오." : null);
    if (text === "") return reason.current?.focus();
    setBusy(true);
    setError(null);
    try {
      // Selected ids are exported regardless of the current filter.
      const { sort } = choice;
      const filter =
        selection && "ids" in selection
          ? { sort, ids: selection.ids }
          : { ...alumniFilterOf(choice), except: selection?.except ?? [] };
      const json = { filter, columns, format: format as "xlsx" | "csv", reason: text };
      const { url } = await callApi(api.alumni["export-data"].$post({ json }));
      location.assign(url);
      onClose();
    } catch (thrown) {
      setError(thrown instanceof AppError ? thrown.message : ERRORS.INTERNAL_ERROR.message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={say("{동문주소록} 내보내기")}
      size="md"
      locked={busy}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            취소
          </Button>
          <Button variant="primary" busy={busy} onClick={send}>
            {formatCount(count)}명 내보내기
          </Button>
        </>
      }
    >
      <p className="mb-4 text-gray-70">
        {selection ? "선택한" : "지금 조건에 맞는"} <strong className="text-gray-90">{formatCount(count)}명</strong>을
        지금 정렬한 차례로 내보냅니다. 개인정보가 든 파일이므로 쓰신 뒤에는 지워 주십시오.
      </p>
      <div className="space-y-4">
        <RadioGroup legend="형식" name="format" options={FORMATS} value={format} onChange={setFormat} />
        <div>
          <RadioGroup legend="항목" name="columns" options={COLUMNS} value={columnsOf} onChange={setColumnsOf} />
          <p className="text-sm text-gray-60">
            {columns.map((column) => labelOf(column)).join(", ")} · ID는 고친 파일을 다시 가져올 때 같은 사람을 찾는 데
            쓰입니다.
          </p>
        </div>
        <Field
          label="내보내는 사유"
          required
          error={missing}
          hint="누가, 언제, 왜, 몇 명을 내보냈는지 기록에 남습니다."
        >
          <Textarea
            ref={reason}
            name="reason"
            rows={2}
            maxLength={ALUMNI_TEXT_LIMITS.exportReason}
            placeholder="예: 정기총회 안내문 발송"
          />
        </Field>
      </div>
      <ErrorAlert className="mt-4">{error}</ErrorAlert>
    </Dialog>
  );
}
