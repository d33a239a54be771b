import { Form, Link } from "react-router";
import { formatLongDate } from "#app/lib/format.ts";
import { Button } from "#app/ui/button.tsx";
import { Select } from "#app/ui/select.tsx";
import { Time } from "#app/ui/time.tsx";
import type { LegalPage } from "#worker/contract/content/view.ts";
import { LEGAL_PAGES } from "#worker/contract/content/info-pages.ts";

type LegalVersion = LegalPage["versions"][number];
const versionName = (version: LegalVersion) => {
  const mark = version.isCurrent ? " (현행)" : version.isUpcoming ? " (시행 예정)" : "";
  return `${formatLongDate(version.effectiveDate)} 시행${mark}`;
};
const versionOptions = (versions: readonly LegalVersion[]) =>
  versions.map((version) => ({ value: String(version.versionNo), label: versionName(version) }));

/** Works without JavaScript. */
export function VersionBar({ page }: { page: LegalPage }) {
  const { code, versions, versionNo, effectiveDate, comparison } = page;
  if (effectiveDate === null) return null;
  const shown = versions.find((version) => version.versionNo === versionNo);
  const older = versions.filter((version) => version.versionNo !== versionNo);
  const { path } = LEGAL_PAGES[code];
  return (
    <div className="mt-2 rounded-lg border border-gray-20 bg-gray-5 p-4 md:p-5">
      <p>
        <strong className="font-bold text-gray-90">시행일</strong> <Time date={effectiveDate} format="long" />
        {shown?.isUpcoming && <span className="ml-2 font-semibold text-warning-60">시행 예정</span>}
        {shown && !shown.isCurrent && (
          <Link to={path} className="ml-3 font-semibold text-primary-60 underline underline-offset-4">
            현행 보기
          </Link>
        )}
      </p>
      {versions.length > 1 && (
        <div className="mt-3 grid gap-3 md:grid-cols-2 print:hidden">
          <Form method="get" action={path} className="flex items-end gap-2">
            <label htmlFor="legal-version" className="block min-w-0 flex-1 text-sm font-semibold">
              <span className="mb-1 block">다른 버전 보기</span>
              <Select
                id="legal-version"
                name="version"
                defaultValue={String(versionNo)}
                options={versionOptions(versions)}
              />
            </label>
            <Button type="submit">보기</Button>
          </Form>
          <Form method="get" action={path} className="flex items-end gap-2">
            <input type="hidden" name="version" value={String(versionNo)} />
            <label htmlFor="legal-compare" className="block min-w-0 flex-1 text-sm font-semibold">
              <span className="mb-1 block">이 버전과 비교할 버전</span>
              <Select
                id="legal-compare"
                name="compare"
                defaultValue={String(comparison?.versionNo ?? older[0]?.versionNo ?? "")}
                options={versionOptions(older)}
              />
            </label>
            <Button type="submit">비교</Button>
          </Form>
        </div>
      )}
    </div>
  );
}
