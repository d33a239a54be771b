import { useRef, useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { fileIdFromAddress, MAILING_FILES_MAX } from "#worker/contract/mailing/rules.ts";
import type { MailingFile } from "#worker/contract/mailing/view.ts";
import { formatBytes } from "#worker/contract/kernel/text.ts";

interface MailingFilesProps {
  files: readonly MailingFile[];
  ids: readonly string[];
  error: string | undefined;
  onChange: (ids: string[]) => void;
}

/** Links to files of board items; recipients need download permission there. */
export function MailingFiles({ files, ids, error, onChange }: MailingFilesProps) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const nameOf = (id: string) => {
    const known = files.find((file) => file.id === id);
    return known ? `${known.fileName} (${formatBytes(known.size)})` : "저장하면 이름이 나옵니다";
  };
  const add = () => {
    const id = fileIdFromAddress(input.current?.value ?? "");
    if (!id) return setProblem("이 사이트의 첨부파일 주소를 붙여 넣어 주십시오.");
    setProblem(null);
    if (input.current) input.current.value = "";
    if (!ids.includes(id)) onChange([...ids, id]);
  };
  return (
    <div className="grid gap-2">
      <Field
        label="첨부파일 주소"
        hint="게시판 글에 올린 파일의 주소를 복사해 붙여 넣습니다. 링크로 들어가며, 그 글의 파일을 내려받을 수 있는 사람만 열 수 있습니다."
        error={problem ?? error}
      >
        <span className="flex gap-2">
          <Input ref={input} type="url" disabled={ids.length >= MAILING_FILES_MAX} />
          <Button className="shrink-0" onClick={add} disabled={ids.length >= MAILING_FILES_MAX}>
            붙이기
          </Button>
        </span>
      </Field>
      {ids.length > 0 && (
        <ul className="grid gap-1">
          {ids.map((id) => (
            <li key={id} className="flex items-center justify-between gap-3 rounded-md bg-gray-5 px-3 py-1.5">
              <span className="min-w-0">{nameOf(id)}</span>
              <Button
                size="sm"
                variant="quiet"
                className="shrink-0"
                onClick={() => onChange(ids.filter((each) => each !== id))}
              >
                빼기<span className="sr-only">: {nameOf(id)}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
