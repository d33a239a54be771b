import { useWords } from "#app/lib/page-language.ts";
import { useState } from "react";
import { ActionDialog } from "#app/features/form/action-dialog.tsx";
import { formText } from "#app/features/form/action.tsx";
import type { AlumniListChoice } from "#app/features/alumni/list-choice.ts";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { RadioGroup } from "#app/ui/choice.tsx";
import { Field, Textarea } from "#app/ui/field.tsx";
import { useColumnLabel } from "#app/features/alumni/column-label.tsx";
import { bookFields } from "#worker/contract/alumni/alumni-settings.ts";
import { LETTER_MEANS, leftOutText } from "#worker/contract/mail/letters.ts";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { type AlumniSelection, selectionCount } from "#worker/contract/alumni/conditions.ts";
import { ALUMNI_TEXT_LIMITS } from "#worker/contract/alumni/list.ts";

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

const USES = [
  { value: "", label: "정리·보관" },
  ...(["post", "email", "sms"] as const).map((value) => ({ value, label: `${LETTER_MEANS[value]} 발송` })),
];

const COLUMNS = [
  { value: "screen", label: "화면에 보이는 열" },
  { value: "all", label: "모든 항목" },
];

/** Exports what the screen shows; the audit log keeps the reason. */
export function AlumniExportDialog({ choice, total, selection, open, onClose }: AlumniExportDialogProps) {
  const say = useWords();
  const labelOf = useColumnLabel();
  const [columnsOf, setColumnsOf] = useState("screen");
  const [use, setUse] = useState("");
  const count = selection ? selectionCount(selection, total) : total;
  const columns = [...(columnsOf === "all" ? bookFields(choice.view) : choice.columns), "id" as const];
  const send = async (form: FormData) => {
    const reason = formText(form, "reason").trim();
    if (reason === "") throw invalidInput({ reason: "내보내는 사유를 적어 주십시오." });
    // Selected ids are exported regardless of the current filter.
    const filter =
      selection && "ids" in selection
        ? { sort: choice.sort, ids: selection.ids }
        : { ...choice.filter, sort: choice.sort, except: selection?.except ?? [] };
    const means = use as "post" | "email" | "sms" | "";
    const format = formText(form, "format") as "xlsx" | "csv";
    const json = { filter, columns, format, count, reason, ...(means && { means }) };
    return callApi(api.alumni["export-data"].$post({ json }));
  };
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title={say("{동문주소록} 내보내기")}
      size="md"
      submitLabel={`${formatCount(count)}명 내보내기`}
      reloads="conflict"
      work={send}
      done={({ url, excluded }) => {
        location.assign(url);
        return excluded.length > 0 ? leftOutText(excluded) : "";
      }}
    >
      {(errors) => (
        <>
          <p className="text-gray-70">
            {selection ? "선택한" : "지금 조건에 맞는"} <strong className="text-gray-90">{formatCount(count)}명</strong>
            을 지금 정렬한 차례로 내보냅니다. 개인정보가 든 파일이므로 쓰신 뒤에는 지워 주십시오.
          </p>
          <RadioGroup
            legend="쓸 곳"
            name="means"
            hint={
              use === ""
                ? `‘${labelOf("state")}’ 항목이 없는 파일에는 작고·탈퇴한 분이 들어가지 않습니다.`
                : "보내면 안 되는 분은 빼고, 몇 명이 왜 빠졌는지 알려 드립니다."
            }
            options={USES}
            value={use}
            onChange={setUse}
          />
          <RadioGroup legend="형식" name="format" options={FORMATS} defaultValue="xlsx" />
          <div>
            <RadioGroup legend="항목" name="columns" options={COLUMNS} value={columnsOf} onChange={setColumnsOf} />
            <p className="text-sm text-gray-60">
              {columns.map((column) => labelOf(column)).join(", ")} · ID는 고친 파일을 다시 가져올 때 같은 사람을 찾는
              데 쓰입니다.
            </p>
          </div>
          <Field
            label="내보내는 사유"
            required
            error={errors.reason}
            hint="누가, 언제, 왜, 몇 명을 내보냈는지 기록에 남습니다."
          >
            <Textarea
              name="reason"
              rows={2}
              maxLength={ALUMNI_TEXT_LIMITS.exportReason}
              placeholder="예: 정기총회 안내문 발송"
            />
          </Field>
        </>
      )}
    </ActionDialog>
  );
}
