import type { ClientResponse } from "hono/client";
import { useState } from "react";
import { saveResponseFile } from "#app/features/form/save-response-file.ts";
import { ReasonDialog } from "#app/features/form/reason-dialog.tsx";
import { useAction } from "#app/features/form/use-action.ts";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { Select } from "#app/ui/select.tsx";

const FORMATS = [
  { value: "xlsx", label: "엑셀(xlsx)" },
  { value: "csv", label: "CSV" },
];

interface ExportButtonProps {
  /** "감사 기록을": what is asked about, with its particle. */
  object: string;
  disabled: boolean;
  note?: string;
  request: (json: { format: "xlsx" | "csv"; reason: string }) => Promise<ClientResponse<unknown>>;
}

/** What a list shows as a file, for a reason that the audit log keeps. */
export function ExportButton({ object, disabled, note, request }: ExportButtonProps) {
  const [open, setOpen] = useState(false);
  const { busy, run, clear, fields, message } = useAction();
  const [format, setFormat] = useState<"xlsx" | "csv">("xlsx");
  const confirm = async (reason: string) => {
    if (await run(() => saveResponseFile(request({ format, reason })), "파일을 내려받았습니다.")) setOpen(false);
  };
  return (
    <>
      <Button size="sm" disabled={disabled} onClick={() => setOpen(true)}>
        파일로 내보내기
      </Button>
      <ReasonDialog
        open={open}
        title={`${object} 내보내시겠습니까?`}
        confirmLabel="내보내기"
        busy={busy}
        error={fields.reason ?? message}
        onClose={() => {
          setOpen(false);
          clear();
        }}
        onConfirm={confirm}
      >
        {note && <p className="mb-4">{note}</p>}
        <Field label="파일 형식" className="mb-5">
          <Select
            value={format}
            options={FORMATS}
            onChange={(event) => setFormat(event.target.value === "csv" ? "csv" : "xlsx")}
          />
        </Field>
      </ReasonDialog>
    </>
  );
}
