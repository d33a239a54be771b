import { useState } from "react";
import { ActionDialog } from "#app/features/form/action-dialog.tsx";
import { formText } from "#app/features/form/action.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { RadioGroup } from "#app/ui/choice.tsx";
import { Field, Textarea } from "#app/ui/field.tsx";
import { invalidInput } from "#worker/contract/kernel/errors.ts";
import { REPORT_REASONS, REPORT_TEXT_LENGTH, type ReportReason } from "#worker/contract/board/rules.ts";

interface ReportButtonProps {
  boardCode: string;
  itemNo: number;
  /** Without it the item is reported. */
  commentId?: string;
  variant?: "quiet";
}

const REASON_OPTIONS = Object.entries(REPORT_REASONS).map(([value, label]) => ({ value, label }));

/** The reporter stays anonymous. */
export function ReportButton({ boardCode, itemNo, commentId, variant }: ReportButtonProps) {
  const [open, setOpen] = useState(false);
  const thing = commentId ? "댓글" : "글";
  const report = async (form: FormData) => {
    const reason = form.get("reason") as ReportReason | null;
    if (!reason) throw invalidInput({ reason: "신고 사유를 골라 주십시오." });
    const json = { reason, text: formText(form, "text"), ...(commentId ? { commentId } : {}) };
    const param = { boardCode, itemNo: String(itemNo) };
    await callApi(api["board-item-report"][":boardCode"][":itemNo"].$put({ param, json, header: ONCE }));
  };
  return (
    <>
      <Button
        size="sm"
        variant={variant}
        className={variant === "quiet" ? "px-3" : "needs-script"}
        onClick={() => setOpen(true)}
      >
        신고
      </Button>
      <ActionDialog
        open={open}
        onClose={() => setOpen(false)}
        title={`이 ${thing}을 신고하시겠습니까?`}
        submitLabel="신고"
        danger
        reloads="never"
        work={report}
        done="신고하였습니다. 관리자가 확인하겠습니다."
      >
        {(errors) => (
          <>
            <p className="text-gray-70">신고하신 분이 누구인지는 작성자를 포함해 누구에게도 알리지 않습니다.</p>
            <RadioGroup legend="신고 사유" name="reason" options={REASON_OPTIONS} required error={errors.reason} />
            <Field label="내용" error={errors.text}>
              <Textarea name="text" rows={3} maxLength={REPORT_TEXT_LENGTH} />
            </Field>
          </>
        )}
      </ActionDialog>
    </>
  );
}
