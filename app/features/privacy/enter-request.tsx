import { ActionDialog } from "#app/features/form/action-dialog.tsx";
import { formText } from "#app/features/form/form-values.ts";
import { api, callApi } from "#app/lib/api.ts";
import { Field, Input } from "#app/ui/field.tsx";
import { Select } from "#app/ui/select.tsx";
import { Textarea } from "#app/ui/textarea.tsx";
import { type PrivacyRequestKind, REQUEST_KIND_NAMES, REQUEST_LIMITS } from "#worker/contract/privacy/privacy.ts";

const KINDS = Object.entries(REQUEST_KIND_NAMES).map(([value, label]) => ({ value, label }));

/** Requests that arrived by post, telephone or fax. */
export function EnterRequestDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const enter = (form: FormData) => {
    const json = {
      kind: formText(form, "kind") as PrivacyRequestKind,
      userKeyCode: formText(form, "userKeyCode"),
      requesterName: formText(form, "requesterName"),
      contact: formText(form, "contact"),
      content: formText(form, "content"),
      receivedDay: formText(form, "receivedDay"),
    };
    return callApi(api.admin.privacy.request.$put({ json }));
  };
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title="요구 등록"
      submitLabel="등록"
      size="md"
      work={enter}
      done="요구를 등록하였습니다."
    >
      {(errors) => (
        <>
          <p className="text-gray-60">
            서면이나 전화, 팩스로 받은 요구를 적어 둡니다. 이메일이 있으면 접수하였음을 메일로 알립니다.
          </p>
          <div className="grid gap-5 md:grid-cols-2">
            <Field label="종류" required error={errors.kind}>
              <Select name="kind" options={KINDS} defaultValue="access" />
            </Field>
            <Field label="받은 날" hint="비워 두면 오늘입니다." error={errors.receivedDay}>
              <Input name="receivedDay" type="date" />
            </Field>
            <Field label="회원의 아이디나 이메일" hint="회원이 아니면 비워 둡니다." error={errors.userKeyCode}>
              <Input name="userKeyCode" autoComplete="off" />
            </Field>
            <Field label="요구한 사람의 이름" hint="회원이면 비워 두어도 됩니다." error={errors.requesterName}>
              <Input name="requesterName" autoComplete="off" />
            </Field>
          </div>
          <Field
            label="답변을 받을 이메일"
            hint="회원이면 비워 두어도 됩니다. 없으면 서면으로 답합니다."
            error={errors.contact}
          >
            <Input name="contact" type="email" autoComplete="off" />
          </Field>
          <Field label="요구한 내용" required error={errors.content}>
            <Textarea name="content" rows={4} maxLength={REQUEST_LIMITS.content} />
          </Field>
        </>
      )}
    </ActionDialog>
  );
}
