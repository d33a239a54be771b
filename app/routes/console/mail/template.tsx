import { LetterForm } from "#app/features/admin/letter-form.tsx";
import { AdminHead } from "#app/features/admin/head.tsx";
import { pageMeta } from "#app/lib/meta.ts";
import { page } from "#app/lib/page.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { LETTERS } from "#worker/contract/letters.ts";
import { getLetter } from "#worker/domain/admin/letter.server.ts";
import type { Route } from "./+types/letter";

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
