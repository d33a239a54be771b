import type { ClientResponse } from "hono/client";
import { useState } from "react";
import { saveResponseFile } from "#app/features/form/save-response-file.ts";
import { Field, Select } from "#app/ui/field.tsx";
import { type Question, QuestionButton, REASON_HINT } from "#app/features/form/action.tsx";

const FORMATS = [
  { value: "xlsx", label: "엑셀(xlsx)" },
  { value: "csv", label: "CSV" },
];

interface ExportButtonProps {
  /** "감사 기록을": the object with its particle. */
  object: string;
  disabled: boolean;
  note?: string;
  request: (json: { format: "xlsx" | "csv"; reason: string }) => Promise<ClientResponse<unknown>>;
}

/** The audit log keeps the reason for the export. */
export function ExportButton({ object, disabled, note, request }: ExportButtonProps) {
  const [format, setFormat] = useState<"xlsx" | "csv">("xlsx");
  const question: Question = {
    label: "내보내기",
    title: `${object} 내보내시겠습니까?`,
    text: (
      <>
        {note && <p>{note}</p>}
        <Field label="파일 형식">
          <Select
            value={format}
            options={FORMATS}
            onChange={(event) => setFormat(event.target.value === "csv" ? "csv" : "xlsx")}
          />
        </Field>
      </>
    ),
    reasonHint: REASON_HINT,
    work: (reason) => saveResponseFile(request({ format, reason })),
    done: "파일을 내려받았습니다.",
  };
  return (
    <QuestionButton question={question} disabled={disabled}>
      파일로 내보내기
    </QuestionButton>
  );
}
