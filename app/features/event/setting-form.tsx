import { ConsoleSection } from "#app/features/form/console-header.tsx";
import { formText } from "#app/features/form/action.tsx";
import { describeRow, readRow, SectionedControls } from "#app/features/form/row-fields.tsx";
import { StoredForm } from "#app/features/form/stored-form.tsx";
import { QuestionList, readQuestions, type SentQuestion } from "#app/features/event/question-list.tsx";
import { CheckboxGroup } from "#app/ui/choice.tsx";
import { Field, Select, Textarea } from "#app/ui/field.tsx";
import { REGISTRATION_LIMITS } from "#worker/contract/event/event.ts";
import { EVENT_FIELDS } from "#worker/contract/event/fields.ts";
import type { EventPage, EventSetting } from "#worker/contract/event/view.ts";
import type { NewVersion, Versioned } from "#worker/contract/kernel/errors.ts";

export type SentSetting = Omit<EventSetting, "questions"> & { questions: SentQuestion[] };

interface SettingFormProps extends Pick<EventPage, "roles" | "kinds"> {
  latest: Versioned<SentSetting>;
  submitLabel: string;
  done: string;
  save: (value: SentSetting, version: number) => Promise<NewVersion>;
  onStored: () => void;
}

/** Times, places, people, text and questions of registration. */
export function EventSettingForm({ roles, kinds, ...props }: SettingFormProps) {
  const { value: stored } = props.latest;
  const nameOf = (code: string) => roles.find(({ roleCode }) => roleCode === code)?.roleName ?? code;
  return (
    <StoredForm<Versioned<SentSetting>, SentSetting>
      {...props}
      valueOf={({ value }) => value}
      describe={(value) => ({
        ...describeRow(EVENT_FIELDS, value),
        "신청할 수 있는 회원": value.roleCodes.map(nameOf).join(", "),
        "확인 메일에 덧붙일 글": value.confirmation,
        이수증: kinds.find(({ id }) => id === value.certificateKindId)?.name ?? "",
        질문: value.questions.map(({ name }) => name).join("\n"),
      })}
      read={(form) => ({
        ...readRow(EVENT_FIELDS, form),
        roleCodes: form.getAll("roleCodes").map(String),
        confirmation: formText(form, "confirmation"),
        certificateKindId: formText(form, "certificateKindId"),
        questions: readQuestions(form),
      })}
      className="max-w-3xl"
      footClassName="mt-8"
    >
      {(errors) => (
        <>
          <SectionedControls fields={EVENT_FIELDS} values={stored} errors={errors} />
          <Field
            label="이수증"
            hint="출석한 사람에게 한꺼번에 발급할 증명서입니다. 증명서의 글에 {{행사}}, {{행사 장소}}, {{행사 날짜}}, {{행사 시간}}을 쓸 수 있습니다."
            error={errors.certificateKindId}
            className="mt-5"
          >
            <Select
              name="certificateKindId"
              defaultValue={stored.certificateKindId}
              options={[
                { value: "", label: "발급하지 않음" },
                ...kinds.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          </Field>
          <ConsoleSection title="신청하는 사람">
            <div className="grid gap-5">
              <CheckboxGroup
                legend="신청할 수 있는 회원"
                hint="고르지 않으면 모든 회원이 신청할 수 있습니다."
                name="roleCodes"
                options={roles.map(({ roleCode, roleName }) => ({ value: roleCode, label: roleName }))}
                defaultValue={stored.roleCodes}
                error={errors.roleCodes}
              />
              <Field label="확인 메일에 덧붙일 글" hint="오시는 길이나 준비물을 적습니다." error={errors.confirmation}>
                <Textarea
                  name="confirmation"
                  rows={4}
                  maxLength={REGISTRATION_LIMITS.confirmation}
                  defaultValue={stored.confirmation}
                />
              </Field>
            </div>
          </ConsoleSection>
          <ConsoleSection title="묻는 것">
            <QuestionList questions={stored.questions} errors={errors} />
          </ConsoleSection>
        </>
      )}
    </StoredForm>
  );
}
