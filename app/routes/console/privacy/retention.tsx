import { PrivacyHeader } from "#app/features/privacy/privacy-header.tsx";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Badge, TextLink } from "#app/ui/inline.tsx";
import { getRetentionPage, type RetentionPage } from "#worker/domain/privacy/retention.server.ts";
import type { Route } from "./+types/retention";
import { type FormEvent, type ReactNode, useState } from "react";
import { formText, useAction } from "#app/features/form/action.tsx";
import { useConsequences } from "#app/features/form/consequences.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { formatCount } from "#app/lib/format.ts";
import { Button } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { Field, Input, NumberInput } from "#app/ui/field.tsx";
import { ErrorAlert } from "#app/ui/alert.tsx";
import type { UpdatePrivacyInput } from "#worker/contract/audit/retention-input.ts";
import { RETENTION_RULES } from "#worker/contract/audit/retention-rules.ts";
import { retentionConsequences } from "#worker/contract/audit/retention-consequences.ts";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => getRetentionPage(scope));

export const meta = titledMeta("보유 기간", "관리");

export default function ConsoleRetentionPage({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PrivacyHeader
        description={
          <>
            켜 둔 규칙은 예약 작업이 저절로 파기하고, 파기한 것은{" "}
            <TextLink to="/Admin/Privacy/Destructions">파기 대장</TextLink>
            에 남습니다. 켜기 전에 대상을 먼저 확인해 주십시오.
          </>
        }
      />
      <RetentionForm key={loaderData.version} page={loaderData} />
    </>
  );
}

const COUNT_MAX = 1000;

function RetentionForm({ page }: { page: RetentionPage }) {
  const { busy, run, fields, message } = useAction({ reloads: "success" });
  const { sendAsked, dialog } = useConsequences();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const number = (name: string) => Math.round(Number(formText(form, name)));
    const rules = Object.fromEntries(
      page.rules.map(({ rule, on, days, isLocked }) => [
        rule,
        isLocked ? { on, days } : { on: form.has(`${rule}.on`), days: number(`${rule}.days`) },
      ]),
    ) as UpdatePrivacyInput["rules"];
    const json = { requestDays: number("requestDays"), rules, version: page.version };
    const save = () =>
      void run(() => callApi(api.admin.privacy.retention.$patch({ json })), "보유 기간을 저장하였습니다.");
    sendAsked("저절로 파기하는 정보가 늘어납니다. 저장하시겠습니까?", retentionConsequences(page.rules, rules), save);
  };
  return (
    <form onSubmit={submit} noValidate>
      <ul className="divide-y divide-gray-20 border-y border-gray-20">
        {page.rules.map((row) => (
          <RuleRow key={row.rule} row={row} error={fields[`rules.${row.rule}.days`]} />
        ))}
      </ul>
      <Field
        label="개인정보 열람·정정 요청을 처리하는 기한(일)"
        hint="받은 날의 다음 날부터 셉니다. 법정 기한은 10일입니다."
        error={fields.requestDays}
        className="mt-6 max-w-md"
      >
        <Input name="requestDays" type="number" min={1} max={30} defaultValue={page.requestDays} className="max-w-32" />
      </Field>
      <ErrorAlert className="mt-6">{message}</ErrorAlert>
      <div className="mt-6">
        <Button type="submit" variant="primary" busy={busy}>
          저장
        </Button>
      </div>
      {dialog}
    </form>
  );
}

function RuleRow({ row, error }: { row: RetentionPage["rules"][number]; error: string | undefined }) {
  const { rule, due, toTell, isLocked } = row;
  const { label, since, hint, min, max } = RETENTION_RULES[rule];
  const [on, setOn] = useState(row.on);
  const waiting = due + toTell;
  return (
    <li className="grid gap-x-8 gap-y-3 py-5 md:grid-cols-[minmax(0,1fr)_auto]">
      <div>
        <h2 className="flex flex-wrap items-center gap-2 text-lg">
          {label}
          {!row.on && <Badge>꺼짐</Badge>}
        </h2>
        <p className="mt-1 text-sm text-gray-60">{hint}</p>
        {isLocked ? (
          <p className="mt-2 text-sm">
            {since}부터 {formatCount(row.days)}일, 저절로 파기 {row.on ? "켜짐" : "꺼짐"}. 이 정보를 다루는 권한이 없어
            대상을 보거나 규칙을 바꿀 수 없습니다.
          </p>
        ) : (
          <p className="mt-2 text-sm">
            <TextLink
              to={`/Admin/Privacy/Retention/${rule}`}
              className="inline-flex min-h-6 items-center font-semibold"
            >
              대상 {waiting >= COUNT_MAX ? `${formatCount(COUNT_MAX)}건 이상` : `${formatCount(waiting)}건`} 보기
              <span className="sr-only">{label}</span>
            </TextLink>
          </p>
        )}
      </div>
      {!isLocked && (
        <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
          <Field label={<RuleNameLink rule={label}>{since}부터(일)</RuleNameLink>} error={error}>
            <NumberInput name={`${rule}.days`} min={min} max={max} defaultValue={row.days} className="max-w-32" />
          </Field>
          <div className="pt-9">
            <Checkbox
              name={`${rule}.on`}
              label={<RuleNameLink rule={label}>저절로 파기</RuleNameLink>}
              checked={on}
              onChange={(event) => setOn(event.target.checked)}
            />
          </div>
        </div>
      )}
    </li>
  );
}

/** Prefixes repeated words with the rule's name for screen readers. */
function RuleNameLink({ rule, children }: { rule: string; children: ReactNode }) {
  return (
    <>
      <span className="sr-only">{rule}: </span>
      {children}
    </>
  );
}
