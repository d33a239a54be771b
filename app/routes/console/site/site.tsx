import type { FormEvent } from "react";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { SettingTransfer } from "#app/features/site/setting-transfer.tsx";
import { FormFollowingStored, StoredForm } from "#app/features/form/stored-form.tsx";
import { formText } from "#app/features/form/form-values.ts";
import { useAction } from "#app/features/form/use-action.ts";
import { api, callApi } from "#app/lib/api.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { Textarea } from "#app/ui/textarea.tsx";
import { getCaseReportSetting } from "#worker/domain/site/home-setting.server.ts";
import { getSiteSetting } from "#worker/domain/site/setting.server.ts";
import type { Route } from "./+types/site";
import { SITE_LIMITS } from "#worker/contract/site/rules.ts";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const [site, caseReport] = await Promise.all([getSiteSetting(scope), getCaseReportSetting(scope)]);
  return { ...site, caseReport };
});

export const meta = titledMeta("사이트 정보", "관리");

const CONTACT = [
  ["organization", "기관명", "text"],
  ["address", "주소", "text"],
  ["phone", "전화", "tel"],
  ["fax", "팩스", "tel"],
  ["email", "이메일", "email"],
] as const;

const LABELS: Record<string, string> = {
  siteName: "사이트 이름",
  productName: "사업 이름",
  description: "소개",
  copyright: "저작권 표시",
  ...Object.fromEntries(CONTACT),
  replyTo: "회신 받을 이메일",
};
type SiteValues = Omit<Route.ComponentProps["loaderData"]["value"], "productCode">;
const describeSite = ({ contact, ...names }: SiteValues) => {
  const values: Record<string, string> = { ...names, ...contact };
  return Object.fromEntries(Object.entries(LABELS).map(([name, label]) => [label, values[name] ?? ""]));
};

function readSite(form: FormData): SiteValues {
  return {
    siteName: formText(form, "siteName"),
    productName: formText(form, "productName"),
    description: formText(form, "description"),
    copyright: formText(form, "copyright"),
    replyTo: formText(form, "replyTo"),
    contact: Object.fromEntries(CONTACT.map(([name]) => [name, formText(form, name)])) as SiteValues["contact"],
  };
}

export default function SitePage({ loaderData }: Route.ComponentProps) {
  const { value } = loaderData;
  return (
    <>
      <ConsoleHeader title="사이트 정보" description="모든 페이지의 위와 아래에 나오는 이름과 연락처입니다." />
      <StoredForm
        latest={loaderData}
        valueOf={(latest): SiteValues => latest.value}
        describe={describeSite}
        read={readSite}
        save={(typed, version) => callApi(api.admin.setting.site.$patch({ json: { ...typed, version } }))}
        done="사이트 정보를 저장하였습니다."
        className="max-w-2xl"
        footClassName="mt-8"
      >
        {(errors) => (
          <>
            <ConsoleSection title="이름">
              <div className="grid gap-5">
                <Field label="사이트 이름" required error={errors.siteName}>
                  <Input name="siteName" defaultValue={value.siteName} maxLength={SITE_LIMITS.siteName} />
                </Field>
                <Field label="사업 이름" error={errors.productName}>
                  <Input name="productName" defaultValue={value.productName} maxLength={SITE_LIMITS.productName} />
                </Field>
                <Field label="소개" hint="검색 결과에도 나옵니다." error={errors.description}>
                  <Textarea name="description" defaultValue={value.description} rows={2} />
                </Field>
                <Field label="저작권 표시" error={errors.copyright}>
                  <Input name="copyright" defaultValue={value.copyright} maxLength={SITE_LIMITS.copyright} />
                </Field>
              </div>
            </ConsoleSection>
            <ConsoleSection title="연락처">
              <div className="grid gap-5">
                {CONTACT.map(([name, label, type]) => (
                  <Field key={name} label={label} error={errors[`contact.${name}`]}>
                    <Input name={name} type={type} defaultValue={value.contact[name]} maxLength={SITE_LIMITS[name]} />
                  </Field>
                ))}
                <Field
                  label="회신 받을 이메일"
                  hint="사이트에서 보낸 메일에 답장하면 이 주소로 옵니다. 비워 두면 위의 이메일로 옵니다."
                  error={errors.replyTo}
                >
                  <Input name="replyTo" type="email" defaultValue={value.replyTo} maxLength={SITE_LIMITS.email} />
                </Field>
              </div>
            </ConsoleSection>
          </>
        )}
      </StoredForm>
      <MaskForm setting={loaderData.caseReport} />
      <SettingTransfer />
    </>
  );
}

/** Hides small counts, so that no one in a small region can be identified. */
function MaskForm({ setting }: { setting: Route.ComponentProps["loaderData"]["caseReport"] }) {
  const { busy, run, fields, message } = useAction();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = formText(new FormData(event.currentTarget), "maskBelow");
    const json = { maskBelow: /^\d{1,3}$/.test(typed) ? Number(typed) : -1, version: setting.version };
    void run(() => callApi(api.admin.setting["case-report"].$patch({ json })), "표시 기준을 저장하였습니다.");
  };
  return (
    <FormFollowingStored onSubmit={submit} noValidate className="mt-12 max-w-2xl border-t border-gray-20 pt-8">
      <ConsoleSection title="거주지별 등록 현황">
        <Field
          label="이 수보다 적은 지역은 숫자를 가립니다"
          hint="사람을 알아볼 수 없도록 5를 권합니다. 0이면 모두 보입니다."
          required
          error={fields.maskBelow ? "0부터 100까지의 숫자로 입력해 주십시오." : message}
        >
          <Input name="maskBelow" inputMode="numeric" defaultValue={setting.value.maskBelow} className="max-w-32" />
        </Field>
      </ConsoleSection>
      <Button type="submit" variant="primary" busy={busy} className="mt-6">
        표시 기준 저장
      </Button>
    </FormFollowingStored>
  );
}
