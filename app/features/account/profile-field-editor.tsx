import { useState } from "react";
import { ProfileFields } from "#app/features/account/profile-fields.tsx";
import { neighbourLines, splitLines, formText } from "#app/features/form/form-values.ts";
import { type EditedRow, RowDialog } from "#app/features/list/row-dialog.tsx";
import { EnglishField } from "#app/features/form/english-field.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { cx } from "#app/ui/cx.ts";
import { Checkbox } from "#app/ui/choice.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { Select } from "#app/ui/select.tsx";
import { Textarea } from "#app/ui/textarea.tsx";
import type { AdminProfileField } from "#worker/contract/account/view.ts";
import { PROFILE_FIELD_LIMITS, type ProfileInputType, type ProfileInput } from "#worker/contract/account/rules.ts";

const TYPES: { value: ProfileInputType; label: string }[] = [
  { value: "text", label: "한 줄 글" },
  { value: "textarea", label: "여러 줄 글" },
  { value: "phone", label: "전화번호" },
  { value: "email", label: "이메일" },
  { value: "date", label: "날짜" },
  { value: "time", label: "시각" },
  { value: "select", label: "하나 고르기 (펼침 목록)" },
  { value: "radio", label: "하나 고르기 (단추)" },
  { value: "checkbox", label: "표시하기 / 여럿 고르기" },
];

const describeField = ({
  name,
  inputType,
  required,
  detail,
  englishName,
  englishDetail,
}: Pick<AdminProfileField, "name" | "inputType" | "required" | "detail" | "englishName" | "englishDetail">) => ({
  "항목 이름": name,
  "적는 방법": TYPES.find(({ value }) => value === inputType)?.label ?? "",
  "고를 수 있는 말": detail.join(", "),
  "영문 이름": englishName,
  "영문 선택지": englishDetail.join(", "),
  "반드시 적어야 함": required ? "예" : "아니요",
});

interface ProfileFieldEditorProps {
  edited: EditedRow<AdminProfileField>;
  fields: readonly AdminProfileField[];
}

export function ProfileFieldEditor({ edited, fields: all }: ProfileFieldEditorProps) {
  const old = edited.row;
  const [shown, setShown] = useState({
    name: old?.name ?? "",
    inputType: old?.inputType ?? ("text" as ProfileInputType),
    required: old?.required ?? false,
    detail: old?.detail ?? [],
    englishName: old?.englishName ?? "",
    englishDetail: old?.englishDetail ?? [],
  });
  const [tried, setTried] = useState<ProfileInput>({});
  const preview = { ...shown, name: shown.name || "항목 이름", code: old?.code ?? "preview", order: 0 };
  const others = all.filter(({ code, isClosed }) => code === old?.code || !isClosed);
  const asked = old ? others.map((each) => (each.code === old.code ? preview : each)) : [...others, preview];
  const read = (form: FormData) => ({
    code: formText(form, "code"),
    name: formText(form, "name"),
    inputType: formText(form, "inputType") as ProfileInputType,
    required: form.has("required"),
    detail: splitLines(formText(form, "detail")),
    englishName: formText(form, "englishName"),
    englishDetail: neighbourLines(formText(form, "englishDetail")),
  });
  const save = ({ code, ...json }: ReturnType<typeof read>, field: AdminProfileField | null) => {
    const calls = api.admin.setting["profile-field"];
    if (!field) return callApi(calls.$put({ json: { ...json, code } }));
    const { isClosed, version } = field;
    return callApi(calls[":code"].$patch({ param: { code: field.code }, json: { ...json, isClosed, version } }));
  };
  return (
    <RowDialog
      edited={edited}
      title={old ? "가입 항목 수정" : "가입 항목 추가"}
      size="lg"
      read={read}
      describe={describeField}
      save={save}
      done="가입 항목을 저장하였습니다."
      onInput={(form) => setShown(read(form))}
      onTake={() => old && setShown(old)}
      beside={
        <div className="rounded-lg bg-gray-5 p-5" aria-label="미리보기" role="group">
          <p className="mb-4 text-sm font-semibold text-gray-60">가입 화면 미리보기</p>
          <div className="grid gap-5">
            {asked.map((each) => (
              <div key={each.code} className={cx(each === preview && "rounded-md bg-white p-3 shadow-sm")}>
                <ProfileFields fields={[each]} value={tried} onChange={setTried} errors={{}} />
              </div>
            ))}
          </div>
        </div>
      }
    >
      {(_, errors) => (
        <>
          <Field label="항목 이름" required error={errors.name}>
            <Input name="name" defaultValue={old?.name ?? ""} maxLength={PROFILE_FIELD_LIMITS.name} />
          </Field>
          {!old && (
            <Field label="코드" hint="영문자. 나중에 바꿀 수 없습니다. 예: hospital" required error={errors.code}>
              <Input name="code" maxLength={PROFILE_FIELD_LIMITS.code} autoCapitalize="none" />
            </Field>
          )}
          <Field label="적는 방법" error={errors.inputType}>
            <Select name="inputType" defaultValue={old?.inputType ?? "text"} options={TYPES} />
          </Field>
          <Field label="고를 수 있는 말" hint="고르는 항목에만 씁니다. 한 줄에 하나씩 적습니다." error={errors.detail}>
            <Textarea name="detail" defaultValue={(old?.detail ?? []).join("\n")} />
          </Field>
          <EnglishField
            name="englishName"
            label="영문 이름"
            hint="영문 가입 화면에서 부르는 이름입니다. 비워 두면 한글 이름을 보여 줍니다."
            of={old}
            maxLength={PROFILE_FIELD_LIMITS.englishName}
            errors={errors}
          />
          <Field
            label="영문 선택지"
            hint="위에서 고를 수 있는 말과 같은 차례로 한 줄에 하나씩 적습니다."
            error={errors.englishDetail}
          >
            <Textarea name="englishDetail" lang="en" defaultValue={(old?.englishDetail ?? []).join("\n")} />
          </Field>
          <Checkbox name="required" label="반드시 적어야 합니다" defaultChecked={old?.required ?? false} />
        </>
      )}
    </RowDialog>
  );
}
