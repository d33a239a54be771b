import { useEffect, useState } from "react";
import { FileButton } from "#app/features/file/upload/file-button.tsx";
import { UploadRow } from "#app/features/file/upload/file-field.tsx";
import { useUploads } from "#app/features/file/upload/use-uploads.ts";
import { useSigninGate } from "#app/features/form/unsaved.ts";
import { FieldError } from "#app/ui/field.tsx";
import { Fieldset } from "#app/ui/choice.tsx";
import type { StoredFile } from "#worker/contract/file/view.ts";
import { formatBytes } from "#worker/contract/kernel/text.ts";
import { type Paper, PROPOSAL_FILES } from "#worker/contract/proposal/proposal.ts";

export interface PaperFilesState {
  files: StoredFile[];
  /** Why it cannot be sent yet. */
  problem: string;
}

interface PaperFilesProps {
  paper: Paper;
  initial: readonly StoredFile[];
  error: string | undefined;
  onChange: (state: PaperFilesState) => void;
}

const BUSY = "파일을 올리고 있습니다. 다 올라간 뒤에 다시 눌러 주십시오.";
const FAILED = "올리지 못한 파일이 있습니다. 다시 올리거나 목록에서 빼 주십시오.";

/** The files of one paper that the call asks for. */
export function PaperFiles({ paper: { code, name, required }, initial, error, onChange }: PaperFilesProps) {
  const askSignin = useSigninGate();
  const uploads = useUploads(null, PROPOSAL_FILES, initial, () => void askSignin());
  const [refusals, setRefusals] = useState<string[]>([]);
  const { items, busy } = uploads;
  const files = items.flatMap(({ fileId, fileName, size }) => (fileId ? [{ fileId, fileName, size }] : []));
  const problem = busy ? BUSY : items.some(({ state }) => state === "failed") ? FAILED : "";
  const key = `${problem} ${uploads.fileIds.join()}`;
  useEffect(() => {
    onChange({ files, problem });
    // oxlint-disable-next-line react/exhaustive-deps -- `key` says when files or problem changed
  }, [key]);
  return (
    <Fieldset
      id={`papers.${code}`}
      legend={name}
      required={required}
      hint={`${PROPOSAL_FILES.extensions.join(", ")} · 파일 하나에 ${formatBytes(PROPOSAL_FILES.maxSize)}까지`}
      error={error}
    >
      {items.length > 0 && (
        <ul aria-label={`${name} 파일`} className="divide-y divide-gray-20 border-y border-gray-20">
          {items.map((item) => (
            <UploadRow
              key={item.key}
              item={item}
              onRetry={() => uploads.retry(item.key)}
              onRemove={() => {
                uploads.remove(item.key);
                document.getElementById(`papers.${code}`)?.focus();
              }}
            />
          ))}
        </ul>
      )}
      {refusals.map((refusal) => (
        <FieldError key={refusal}>{refusal}</FieldError>
      ))}
      <FileButton
        label={`${name} 파일 선택`}
        accept={PROPOSAL_FILES.extensions.map((extension) => `.${extension}`).join(",")}
        multiple
        onPick={(picked) => setRefusals(uploads.add(picked))}
      />
    </Fieldset>
  );
}
