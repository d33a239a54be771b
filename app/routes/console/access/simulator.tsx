import { Form, useSearchParams } from "react-router";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Button } from "#app/ui/button.tsx";
import { Field, Input, Select } from "#app/ui/field.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { TextLink } from "#app/ui/inline.tsx";
import { simulateQuery, simulateSettingsQuery } from "#worker/contract/access/input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { lookUp } from "#worker/contract/kernel/labels.ts";
import { parseInput } from "#worker/contract/kernel/parse-input.ts";
import { authorize } from "#worker/domain/kernel/authorize.server.ts";
import { simulateAccess } from "#worker/domain/access/simulate.server.ts";
import { simulateSettings } from "#worker/domain/site/simulate-settings.server.ts";
import { namedWithRole, SettingRights } from "#app/features/site/setting-rights.tsx";
import type { Route } from "./+types/simulator";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const ctx = await scope.context();
  authorize(ctx, { action: "ADMIN_Access" });
  const query = Object.fromEntries(new URL(request.url).searchParams);
  if (Object.keys(query).length === 0) return { result: null, settings: null, fields: {} };
  try {
    const settings = await simulateSettings(ctx, parseInput(simulateSettingsQuery, query));
    return { result: await simulateAccess(ctx, parseInput(simulateQuery, query)), settings, fields: {} };
  } catch (error) {
    if (error instanceof AppError && error.fields) return { result: null, settings: null, fields: error.fields };
    throw error;
  }
});

const ASKED = [
  {
    name: "who",
    label: "누가",
    hint: "아이디나 이메일, 또는 역할의 이름. 로그인하지 않은 사람은 '방문자'라고 적습니다.",
    initial: "방문자",
  },
  { name: "path", label: "어디를", hint: "주소창의 주소를 붙여 넣으십시오. 예: /board/notice/View/1", initial: "" },
];
const METHODS = [
  { value: "GET", label: "보기" },
  { value: "PUT", label: "새로 쓰기" },
  { value: "PATCH", label: "고치기" },
  { value: "DELETE", label: "지우기" },
];

export default function SimulatorPage({ loaderData }: Route.ComponentProps) {
  const { result, settings } = loaderData;
  const fields: Record<string, string> = loaderData.fields;
  const [params] = useSearchParams();
  return (
    <>
      <ConsoleHeader description="어떤 회원이나 역할이 어떤 화면을 보고 어떤 설정을 바꿀 수 있는지와 그 이유를 알려 드립니다. 실제로 열어 보지는 않습니다." />
      <Form method="get" className="grid max-w-2xl gap-5">
        {ASKED.map(({ name, label, hint, initial }) => (
          <Field key={name} label={label} hint={hint} required error={lookUp(fields, name)}>
            <Input name={name} defaultValue={params.get(name) ?? initial} />
          </Field>
        ))}
        <Field label="무엇을" hint="/api로 시작하는 주소에만 해당합니다.">
          <Select name="method" defaultValue={params.get("method") ?? "GET"} options={METHODS} />
        </Field>
        <div>
          <Button type="submit" variant="primary">
            확인
          </Button>
        </div>
      </Form>
      {result && (
        <Alert
          tone={result.allowed ? "success" : "warning"}
          className="mt-8 max-w-2xl"
          title={result.allowed ? "할 수 있습니다." : "할 수 없습니다."}
        >
          <p className="mt-1">
            {namedWithRole(result)} · {result.what}
          </p>
          <p className="mt-1">이유: {result.reason}</p>
          {result.change && (
            <p className="mt-1">
              바꾸는 곳: <TextLink to={result.change.href}>{result.change.label}</TextLink>
            </p>
          )}
        </Alert>
      )}
      {settings && <SettingRights shown={settings} />}
    </>
  );
}
