import { useSiteFrame, useWords } from "#app/lib/page-language.ts";
import { useState } from "react";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { CenterForm } from "#app/features/content/edit/center-form.tsx";
import { ContentStateBadges } from "#app/features/content/edit/state-badges.tsx";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { regionCode } from "#worker/contract/content/center-input.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { centerPath } from "#worker/contract/content/view.ts";
import { getCenterToEdit } from "#worker/domain/content/center-edit.server.ts";
import type { Route } from "./+types/center";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => {
  const ctx = await scope.context();
  const code = regionCode.safeParse(params.regionCode.toLowerCase());
  const center = await getCenterToEdit(ctx, code.data ?? "");
  if (!code.success) throw new AppError("NOT_FOUND");
  return { center };
});

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta({ matches, title: [loaderData?.center.centerName ?? "", "관리"] });

export default function CenterPage({ loaderData }: Route.ComponentProps) {
  const { regionCode: code, version } = loaderData.center;
  return <CenterEditing key={`${code} ${version}`} data={loaderData} />;
}

function CenterEditing({ data }: { data: Route.ComponentProps["loaderData"] }) {
  const say = useWords();
  const frame = useSiteFrame();
  const [form, setForm] = useState({ center: data.center, generation: 0 });
  const { center } = form;
  const isAdministrator = frame?.user?.isAdministrator ?? false;
  const path = centerPath(frame?.site.productCode ?? "", center.regionCode);
  return (
    <>
      <ConsoleHeader
        title={say(`${center.regionName} {센터}`)}
        description={<ContentStateBadges {...center} />}
        links={[
          { label: "이력", href: `/Admin/Centers/${center.regionCode}/History` },
          isAdministrator ? { label: "목록", href: "/Admin/Centers" } : { label: "페이지 보기", href: path },
        ]}
      />
      <CenterForm
        key={form.generation}
        center={center}
        path={path}
        isAdministrator={isAdministrator}
        onRestart={(theirs) => setForm(({ generation }) => ({ center: theirs, generation: generation + 1 }))}
      />
    </>
  );
}
