import { ConsoleSection } from "#app/features/form/console-header.tsx";
import { formText } from "#app/features/form/action.tsx";
import { describeRow, readRow, SectionedControls } from "#app/features/form/row-fields.tsx";
import { StoredForm } from "#app/features/form/stored-form.tsx";
import { PartList, readParts, type SentPart } from "#app/features/event/part-list.tsx";
import { CheckboxGroup } from "#app/ui/choice.tsx";
import { Field, Select, Textarea } from "#app/ui/field.tsx";
import { formatWon } from "#worker/contract/alumni/dues/dues.ts";
import { type EventFee, type EventQuestion, REGISTRATION_LIMITS } from "#worker/contract/event/event.ts";
import { EVENT_FIELDS, FEE_FIELDS, QUESTION_FIELDS } from "#worker/contract/event/fields.ts";
import type { EventPage, EventSetting } from "#worker/contract/event/view.ts";
import type { NewVersion, Versioned } from "#worker/contract/kernel/errors.ts";

export type SentSetting = Omit<EventSetting, "questions" | "fees"> & {
  questions: SentPart<EventQuestion>[];
  fees: SentPart<EventFee>[];
};

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
  const roleOptions = roles.map(({ roleCode, roleName }) => ({ value: roleCode, label: roleName }));
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
        참가비: value.fees
          .map(({ name, amount, roleCodes }) => [name, formatWon(amount), ...roleCodes.map(nameOf)].join(" "))
          .join("\n"),
        질문: value.questions.map(({ name }) => name).join("\n"),
      })}
      read={(form) => ({
        ...readRow(EVENT_FIELDS, form),
        roleCodes: form.getAll("roleCodes").map(String),
        confirmation: formText(form, "confirmation"),
        certificateKindId: formText(form, "certificateKindId"),
        questions: readParts("questions", QUESTION_FIELDS, form, () => ({})),
        fees: readParts("fees", FEE_FIELDS, form, (path) => ({
          roleCodes: form.getAll(`${path}roleCodes`).map(String),
        })),
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
                options={roleOptions}
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
          <ConsoleSection title="참가비">
            <PartList
              name="fees"
              label="참가비"
              most={REGISTRATION_LIMITS.fees}
              fields={FEE_FIELDS}
              parts={stored.fees}
              errors={errors}
            >
              {(fee, path) => (
                <CheckboxGroup
                  className="md:col-span-2"
                  legend="고를 수 있는 회원"
                  hint="고르지 않으면 누구나 고를 수 있습니다."
                  name={`${path}roleCodes`}
                  options={roleOptions}
                  defaultValue={fee.roleCodes}
                  error={errors[`${path}roleCodes`]}
                />
              )}
            </PartList>
          </ConsoleSection>
          <ConsoleSection title="묻는 것">
            <PartList
              name="questions"
              label="질문"
              most={REGISTRATION_LIMITS.questions}
              fields={QUESTION_FIELDS}
              parts={stored.questions}
              errors={errors}
            />
          </ConsoleSection>
        </>
      )}
    </StoredForm>
  );
}
