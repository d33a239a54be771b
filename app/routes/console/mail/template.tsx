import { LetterForm } from "#app/features/mail/template-form.tsx";
import { AdminHead } from "#app/features/form/console-head.tsx";
import { pageMeta } from "#app/lib/meta.ts";
import { page } from "#app/lib/page.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { LETTERS } from "#worker/contract/mail/templates.ts";
import { getLetter } from "#worker/domain/mail/template.server.ts";
import type { Route } from "./+types/template";

export const loader = page(async (door, { params }: Route.LoaderArgs) => getLetter(door, params.kind));

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return pageMeta({ matches, title: [loaderData ? LETTERS[loaderData.kind].name : "메일 문구", "관리"] });
}

export default function LetterPage({ loaderData }: Route.ComponentProps) {
  const { name, when } = LETTERS[loaderData.kind];
  return (
    <>
      <AdminHead
        title={name}
        description={when}
        action={
          <ButtonLink to="/Admin/Letters" size="sm">
            메일 문구 목록
          </ButtonLink>
        }
      />
      <LetterForm key={loaderData.kind} letter={loaderData} />
    </>
  );
}
