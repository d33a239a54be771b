import { ActionDialog } from "#app/features/form/action-dialog.tsx";
import { useWords } from "#app/lib/use-words.ts";
import { useState } from "react";
import { formText } from "#app/features/form/form-values.ts";
import { QuestionButton } from "#app/features/form/question.tsx";
import { type ListColumn, ListTable } from "#app/features/list/searched-list.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount, lastDayOf } from "#app/lib/format.ts";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { NumberField } from "#app/ui/number-field.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { Time } from "#app/ui/time.tsx";
import { type Representative, REPRESENTATIVE_LIMITS } from "#worker/contract/alumni/representative.ts";

const COLUMNS: ListColumn<Representative>[] = [
  { head: "기수", className: "tabular font-semibold whitespace-nowrap", renderCell: ({ cohort }) => `${cohort}기` },
  {
    head: "대표",
    renderCell: ({ userId, userName }) => <TextLink to={`/Admin/Members/${userId}`}>{userName}</TextLink>,
  },
  {
    head: "마지막 날",
    label: true,
    className: "whitespace-nowrap",
    renderCell: ({ endDate, roleName, grantId }) =>
      endDate ? <Time date={lastDayOf(endDate)} /> : grantId ? "정하지 않음" : `기본 역할 '${roleName}'`,
  },
  {
    head: "메일이 닿지 않는 사람",
    label: true,
    className: "tabular whitespace-nowrap",
    renderCell: ({ unreached }) => `${formatCount(unreached)}명`,
  },
  {
    head: "할 일",
    hidesHead: true,
    renderCell: ({ userId, userName, cohort, grantId }) =>
      grantId && (
        <QuestionButton
          question={{
            label: "끝내기",
            title: `${userName} 회원의 ${cohort}기 대표를 끝내시겠습니까?`,
            text: "바로 그 기수를 볼 수 없게 됩니다. 보내 둔 수정 요청은 남습니다.",
            work: () =>
              callApi(api.admin.member[":id"]["role-grant"][":grantId"].$delete({ param: { id: userId, grantId } })),
            done: "기수 대표를 끝냈습니다.",
          }}
        >
          끝내기
          <span className="sr-only">
            : {userName} {cohort}기
          </span>
        </QuestionButton>
      ),
  },
];

export const RepresentativeList = ({ representatives }: { representatives: readonly Representative[] }) => (
  <ListTable
    caption="기수 대표"
    columns={COLUMNS}
    rows={representatives}
    keyOf={({ userId, cohort, grantId }) => `${cohort} ${userId} ${grantId ?? ""}`}
    emptyText="정한 대표가 없습니다."
  />
);

export function AppointButton() {
  const [adding, setAdding] = useState(false);
  return (
    <>
      <Button size="sm" onClick={() => setAdding(true)}>
        대표 정하기
      </Button>
      <AppointDialog open={adding} onClose={() => setAdding(false)} />
    </>
  );
}

function AppointDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const say = useWords();
  const appoint = (form: FormData) => {
    const json = {
      who: formText(form, "who").trim(),
      cohort: Number(formText(form, "cohort")),
      to: formText(form, "to"),
      reason: formText(form, "reason").trim(),
    };
    return callApi(api.admin.representative.$put({ json }));
  };
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title="기수 대표 정하기"
      submitLabel="정하기"
      work={appoint}
      done="기수 대표로 정하고 안내 메일을 보냈습니다."
      errorOf={({ fields, general }) => fields.roleCode ?? general}
      reasonExample="예: 2026년 12기 총회에서 뽑힘"
    >
      {(errors) => (
        <>
          <p className="text-gray-70">
            {say(
              "맡은 기수의 {동문:을/를} 회원에게 열린 만큼만 보고, 고칠 내용을 사무국에 보냅니다. 주소록을 바로 고치지는 못합니다.",
            )}
          </p>
          <Field label="회원" required hint="아이디나 이메일, 휴대전화" error={errors.who}>
            <Input name="who" autoComplete="off" maxLength={REPRESENTATIVE_LIMITS.who} />
          </Field>
          <div className="grid gap-4 md:grid-cols-2">
            <NumberField
              label="기수"
              required
              error={errors.cohort}
              name="cohort"
              min={1}
              max={REPRESENTATIVE_LIMITS.cohort}
            />
            <Field label="마지막 날" required error={errors.to}>
              <Input name="to" type="date" />
            </Field>
          </div>
        </>
      )}
    </ActionDialog>
  );
}
