import { Form, useSubmit } from "react-router";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { SideBySideDifference } from "#app/features/content/side-by-side-difference.tsx";
import { formatCount, formatLongDate } from "#app/lib/format.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Button } from "#app/ui/button.tsx";
import { Field, Select } from "#app/ui/field.tsx";
import { compareAgreements } from "#worker/domain/content/agreement.server.ts";
import type { Route } from "./+types/agreement-compare";

export const loader = pageLoader(async (scope, { params, request }: Route.LoaderArgs) => {
  const { searchParams } = new URL(request.url);
  const version = (name: string) => searchParams.get(name)?.slice(0, 50) || undefined;
  return compareAgreements(scope, { code: params.code.slice(0, 50), from: version("from"), to: version("to") });
});

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta({ matches, title: [`${loaderData?.title ?? "동의 문서"} 비교`, "관리"] });

export default function AgreementComparePage({ loaderData }: Route.ComponentProps) {
  const { title, versions, from, to, lines } = loaderData;
  const submit = useSubmit();
  const options = versions.map(({ version, effectiveDate }) => ({
    value: version,
    label: `${version} (${formatLongDate(effectiveDate)} 시행)`,
  }));
  const changes = lines.filter(({ kind }) => kind !== "same").length;
  return (
    <>
      <ConsoleHeader parent={{ label: "동의 문서", href: "/Admin/Agreements" }} title={`'${title}' 버전 비교`} />
      <Form
        key={`${from} ${to}`}
        method="get"
        className="grid items-end gap-4 rounded-lg bg-gray-5 p-4 md:grid-cols-[1fr_1fr_auto]"
        onChange={(event) => void submit(event.currentTarget)}
      >
        <Field label="앞의 버전">
          <Select name="from" defaultValue={from} options={options} />
        </Field>
        <Field label="뒤의 버전">
          <Select name="to" defaultValue={to} options={options} />
        </Field>
        <Button type="submit" variant="primary" size="sm">
          비교
        </Button>
      </Form>
      <p className="my-4 text-gray-70" role="status">
        {changes === 0 ? "달라진 문장이 없습니다." : `달라진 문장은 ${formatCount(changes)}개입니다.`}
      </p>
      <SideBySideDifference lines={lines} older={from} newer={to} />
    </>
  );
}
