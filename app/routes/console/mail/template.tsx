import { useWords } from "#app/lib/use-words.ts";
import { MailTemplateForm } from "#app/features/mail/mail-template-form.tsx";
import { ConsoleHeader } from "#app/features/form/console-header.tsx";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { MAIL_TEMPLATES } from "#worker/contract/mail/templates.ts";
import { getMailTemplate } from "#worker/domain/mail/template.server.ts";
import type { Route } from "./+types/template";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => getMailTemplate(scope, params.kind));

export function meta({ matches, loaderData }: Route.MetaArgs) {
  return pageMeta({ matches, title: [loaderData ? MAIL_TEMPLATES[loaderData.kind].name : "메일 문구", "관리"] });
}

export default function MailTemplatePage({ loaderData }: Route.ComponentProps) {
  const say = useWords();
  const { name, when } = MAIL_TEMPLATES[loaderData.kind];
  return (
    <>
      <ConsoleHeader
        title={name}
        description={say(when)}
        links={[{ label: "메일 문구 목록", href: "/Admin/MailTemplates" }]}
      />
      <MailTemplateForm key={loaderData.kind} template={loaderData} />
    </>
  );
}
