import { type ReactNode, useState } from "react";
import { FileField } from "#app/features/file/upload/file-field.tsx";
import { useUploads } from "#app/features/file/upload/use-uploads.ts";
import { useSigninGate } from "#app/features/form/unsaved.ts";
import type { DoneMessage } from "#app/features/form/action.tsx";
import { type FormErrors, useCheckedForm } from "#app/features/form/use-checked-form.ts";
import { CheckedForm } from "#app/features/form/validated-form.tsx";
import { CountedTextarea, Field } from "#app/ui/field.tsx";
import { INQUIRY_FILES, INQUIRY_LIMITS } from "#worker/contract/inquiry/inquiry.ts";

interface MessageFormProps<T> {
  label: string;
  submitLabel: string;
  contentLabel: string;
  hint?: string;
  children?: ((errors: FormErrors) => ReactNode) | undefined;
  check?: () => FormErrors;
  send: (message: { content: string; fileIds: string[] }) => Promise<T>;
  done: DoneMessage<T>;
  onDone?: (result: T) => unknown;
}

export function InquiryMessageForm<T>(props: MessageFormProps<T>) {
  const { label, submitLabel, contentLabel, hint, children, check, send, done, onDone } = props;
  const [content, setContent] = useState("");
  const askSignin = useSigninGate();
  const uploads = useUploads(null, INQUIRY_FILES, [], () => void askSignin());
  const checked = useCheckedForm();
  const { errors } = checked;
  const findProblems = (): FormErrors => {
    const found = { ...check?.() };
    if (content.trim() === "") found.content = "내용을 입력해 주십시오.";
    if (uploads.busy) found.form = "파일을 올리고 있습니다. 다 올라간 뒤에 다시 눌러 주십시오.";
    else if (uploads.items.some(({ state }) => state === "failed"))
      found.form = "올리지 못한 파일이 있습니다. 다시 올리거나 목록에서 빼 주십시오.";
    return found;
  };
  const submit = async () => {
    const outcome: T[] = [];
    const work = async () => {
      const result = await send({ content, fileIds: uploads.fileIds });
      outcome.push(result);
      return result;
    };
    if (!(await checked.send(findProblems(), work, done))) return;
    setContent("");
    for (const { key } of uploads.items) uploads.remove(key);
    for (const result of outcome) await onDone?.(result);
  };
  return (
    <CheckedForm checked={checked} onSubmit={() => void submit()} label={label} submitLabel={submitLabel}>
      {children?.(errors)}
      <Field
        id="content"
        label={contentLabel}
        required
        hint={hint ?? "주민등록번호는 적지 마십시오."}
        error={errors.content}
      >
        <CountedTextarea
          name="content"
          rows={6}
          maxLength={INQUIRY_LIMITS.content}
          value={content}
          onChange={setContent}
        />
      </Field>
      <FileField uploads={uploads} limits={INQUIRY_FILES} error={errors.fileIds} />
    </CheckedForm>
  );
}
