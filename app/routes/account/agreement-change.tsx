import { LineDifferences } from "#app/features/content/version-comparison.tsx";
import { withArticle } from "#app/features/file/article.server.ts";
import { ArticleBody } from "#app/ui/article.tsx";
import { formatCount, formatLongDate } from "#app/lib/format.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Alert } from "#app/ui/alert.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { Time } from "#app/ui/inline.tsx";
import { getAgreementChange, type AgreementChange } from "#worker/domain/content/agreement-announced.server.ts";
import type { Route } from "./+types/agreement-change";

/** Is linked from the mail and the banner about a new version; readable without signing in. */
export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) =>
  withArticle(await getAgreementChange(scope, params.code.slice(0, 50))),
);

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta({ matches, title: loaderData ? [`${loaderData.title} 변경 안내`] : [] });

export default function AgreementChangePage({ loaderData }: Route.ComponentProps) {
  const { title, content, before, lines } = loaderData;
  const changes = lines.filter(({ kind }) => kind !== "same").length;
  return (
    <>
      <PageHeader title={`${title} 변경 안내`} />
      <div className="container-page pt-6 pb-16 md:pb-24">
        <ChangeNote change={loaderData} />
        {before && (
          <section aria-labelledby="difference" className="mt-10">
            <h2 id="difference" className="text-xl">
              달라지는 점
            </h2>
            <p className="mt-2 text-gray-60">
              <Time date={before.effectiveDate} format="long" />에 시행한 내용과 문장별로 비교하였습니다.{" "}
              {changes === 0 ? "달라지는 문장이 없습니다." : `달라지는 문장은 ${formatCount(changes)}개입니다.`}
            </p>
            {changes > 0 && <LineDifferences lines={lines} />}
          </section>
        )}
        <section aria-labelledby="whole" className="mt-10">
          <h2 id="whole" className="text-xl">
            전문
          </h2>
          <div className="mt-4">
            <ArticleBody html={content} />
          </div>
        </section>
      </div>
    </>
  );
}

function ChangeNote({ change: { title, effectiveDate, isUpcoming, required } }: { change: AgreementChange }) {
  const day = formatLongDate(effectiveDate);
  if (!isUpcoming) return <Alert>{`'${title}' 내용은 ${day}부터 시행하고 있습니다.`}</Alert>;
  return (
    <Alert>
      {`${day}부터 '${title}' 내용이 바뀝니다. 그 전날까지는 지금 내용이 적용됩니다. `}
      {required
        ? "회원이시면 시행일 뒤에 처음 로그인하실 때 새 내용에 동의하시는지 여쭙습니다."
        : "선택 동의 항목이므로, 회원이시면 마이페이지의 회원정보에서 언제든지 바꾸실 수 있습니다."}
    </Alert>
  );
}
