import { ActionDialog } from "#app/features/form/action-dialog.tsx";
import { useState } from "react";
import { formText } from "#app/features/form/form-values.ts";
import { roleOptions } from "#app/features/access/role-options.ts";
import { api, callApi } from "#app/lib/api.ts";
import { lastDayOf } from "#app/lib/format.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { Select } from "#app/ui/select.tsx";
import { Time } from "#app/ui/time.tsx";
import { type Question, QuestionButton } from "#app/features/form/question.tsx";
import type { MemberDetail } from "#worker/contract/member/view.ts";

interface RoleGrantListProps {
  member: Pick<MemberDetail, "id" | "userName" | "roleCode" | "grants" | "canAdminister">;
  roles: readonly { roleCode: string; roleName: string }[];
  /** Today in Korea as YYYY-MM-DD. */
  today: string;
}

/** Roles held in addition to the member's own role, each for a period. */
export function RoleGrantList({ member, roles, today }: RoleGrantListProps) {
  const [adding, setAdding] = useState(false);
  const endQuestion = ({ grantId, roleName, isNow }: MemberDetail["grants"][number]): Question => ({
    label: isNow ? "끝내기" : "예정 취소",
    title: `${member.userName} 회원의 '${roleName}' 역할을 끝내시겠습니까?`,
    text: <p>바로 그 권한을 쓸 수 없게 됩니다. 기본 역할은 그대로입니다.</p>,
    work: () =>
      callApi(api.admin.member[":id"]["role-grant"][":grantId"].$delete({ param: { id: member.id, grantId } })),
    done: "역할을 끝냈습니다.",
  });
  return (
    <>
      <p className="text-gray-70">기본 역할에 더하여, 정한 날부터 정한 날까지만 쓰는 역할입니다.</p>
      {member.grants.length === 0 && <p className="mt-2 text-gray-60">없습니다.</p>}
      <ul className="mt-2 divide-y divide-gray-20">
        {member.grants.map((grant) => (
          <li key={grant.grantId} className="flex flex-wrap items-center justify-between gap-3 py-2">
            <span>
              {grant.roleName} <Badge tone={grant.isNow ? "success" : "gray"}>{grant.isNow ? "지금" : "예정"}</Badge>
              <span className="tabular block text-sm text-gray-70">
                <Time date={grant.startDate} />
                {grant.endDate ? (
                  <span>
                    부터 <Time date={lastDayOf(grant.endDate)} />
                    까지
                  </span>
                ) : (
                  <span>부터 끝낼 때까지</span>
                )}
              </span>
            </span>
            {member.canAdminister && (
              <QuestionButton question={endQuestion(grant)}>
                {grant.isNow ? "끝내기" : "취소"}
                <span className="sr-only">: {grant.roleName}</span>
              </QuestionButton>
            )}
          </li>
        ))}
      </ul>
      {member.canAdminister && (
        <Button size="sm" className="mt-3" onClick={() => setAdding(true)}>
          기간제 역할 주기
        </Button>
      )}
      <GrantDialog open={adding} onClose={() => setAdding(false)} member={member} roles={roles} today={today} />
    </>
  );
}

function GrantDialog({
  open,
  onClose,
  member,
  roles,
  today,
}: RoleGrantListProps & { open: boolean; onClose: () => void }) {
  const grant = (form: FormData) => {
    const to = formText(form, "to");
    const json = {
      roleCode: formText(form, "roleCode"),
      from: formText(form, "from"),
      ...(to ? { to } : {}),
      reason: formText(form, "reason"),
    };
    return callApi(api.admin.member[":id"]["role-grant"].$put({ param: { id: member.id }, json }));
  };
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title={`${member.userName} 회원에게 기간제 역할 주기`}
      submitLabel="주기"
      work={grant}
      done="역할을 주었습니다."
      reasonExample="예: 2026년 명부 정리 담당"
    >
      {(errors) => (
        <>
          <Field label="역할" required error={errors.roleCode}>
            <Select
              name="roleCode"
              placeholder="역할을 골라 주십시오"
              options={roleOptions(roles.filter(({ roleCode }) => roleCode !== member.roleCode))}
            />
          </Field>
          <div className="grid gap-4 md:grid-cols-2">
            <Field label="시작일" required error={errors.from}>
              <Input name="from" type="date" defaultValue={today} />
            </Field>
            <Field label="종료일" hint="비우면 끝낼 때까지입니다." error={errors.to}>
              <Input name="to" type="date" />
            </Field>
          </div>
        </>
      )}
    </ActionDialog>
  );
}
