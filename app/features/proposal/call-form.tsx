import { ConsoleSection } from "#app/features/form/console-header.tsx";
import { describeRow, readRow, SectionedControls } from "#app/features/form/row-fields.tsx";
import { StoredForm } from "#app/features/form/stored-form.tsx";
import { PartList, readParts, type SentPart } from "#app/features/event/part-list.tsx";
import type { NewVersion, Versioned } from "#worker/contract/kernel/errors.ts";
import {
  CALL_FIELDS,
  CHECK_FIELDS,
  CRITERION_FIELDS,
  PAPER_FIELDS,
  PROPOSAL_QUESTION_FIELDS,
} from "#worker/contract/proposal/fields.ts";
import { PROPOSAL_LIMITS } from "#worker/contract/proposal/proposal.ts";
import type { CallSetting } from "#worker/contract/proposal/view.ts";

const PARTS = {
  criteria: { label: "심의 기준", fields: CRITERION_FIELDS, most: PROPOSAL_LIMITS.criteria },
  checks: { label: "형식 검토 항목", fields: CHECK_FIELDS, most: PROPOSAL_LIMITS.checks },
  papers: { label: "서류", fields: PAPER_FIELDS, most: PROPOSAL_LIMITS.papers },
  questions: { label: "질문", fields: PROPOSAL_QUESTION_FIELDS, most: PROPOSAL_LIMITS.questions },
} as const;

type PartName = keyof typeof PARTS;
const PART_NAMES = Object.keys(PARTS) as PartName[];

const HINTS: Record<PartName, string> = {
  criteria: "배점의 합은 100점이어야 합니다. 심의위원이 기준마다 점수를 줍니다.",
  checks: "사무국이 형식 검토에서 하나씩 표시합니다.",
  papers: "제안자가 파일로 냅니다.",
  questions: "제안자가 이 화면의 순서대로 적습니다. 심의위원에게 숨길 수 있습니다.",
};

/** A call without a close has an empty one in the form. */
export type SentCall = Omit<CallSetting, PartName | "closeDate"> & { closeDate: string } & {
  [Name in PartName]: SentPart<CallSetting[Name][number]>[];
};

const partsOf = (call: SentCall, part: PartName): readonly { name: string; code?: string }[] => call[part];

const partNames = (call: SentCall, part: PartName) =>
  partsOf(call, part)
    .map(({ name }) => name)
    .join("\n");

interface CallFormProps {
  latest: Versioned<SentCall>;
  submitLabel: string;
  done: string;
  save: (value: SentCall, version: number) => Promise<NewVersion>;
  onStored: () => void;
}

/** Times, form, papers and criteria of a call. */
export const CallForm = (props: CallFormProps) => (
  <StoredForm<Versioned<SentCall>, SentCall>
    {...props}
    valueOf={({ value }) => value}
    describe={(value) => ({
      ...describeRow(CALL_FIELDS, value),
      ...Object.fromEntries(PART_NAMES.map((name) => [PARTS[name].label, partNames(value, name)])),
    })}
    read={(form) =>
      ({
        ...readRow(CALL_FIELDS, form),
        ...Object.fromEntries(PART_NAMES.map((name) => [name, readParts(name, PARTS[name].fields, form, () => ({}))])),
      }) as SentCall
    }
    className="max-w-3xl"
    footClassName="mt-8"
  >
    {(errors) => (
      <>
        <SectionedControls fields={CALL_FIELDS} values={props.latest.value} errors={errors} />
        {PART_NAMES.map((name) => (
          <ConsoleSection key={name} title={PARTS[name].label}>
            <p className="-mt-2 mb-4 text-gray-60">{HINTS[name]}</p>
            <PartList name={name} {...PARTS[name]} parts={partsOf(props.latest.value, name)} errors={errors} />
          </ConsoleSection>
        ))}
      </>
    )}
  </StoredForm>
);
