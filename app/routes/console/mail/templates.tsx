import { DueConsentsSection } from "#app/features/member/due-consents.tsx";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { useWords } from "#app/lib/use-words.ts";
import { titledMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Time } from "#app/ui/time.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { type ListColumn, ListTable } from "#app/features/list/searched-list.tsx";
import { MAIL_TEMPLATES, type MailTemplateKind } from "#worker/contract/mail/templates.ts";
import { listDueConsents } from "#worker/domain/member/consent-reminder.server.ts";
import { listMailTemplates } from "#worker/domain/mail/template.server.ts";
import type { Route } from "./+types/templates";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => {
  const [templates, due] = await Promise.all([listMailTemplates(scope), listDueConsents(scope)]);
  return { templates, due };
});

export const meta = titledMeta("메일 문구", "관리");

const COLUMNS: ListColumn<Route.ComponentProps["loaderData"]["templates"][number]>[] = [
  {
    head: "이름",
    className: "whitespace-nowrap",
    renderCell: ({ kind }) => (
      <TextLink to={`/Admin/MailTemplates/${kind}`} className="font-semibold">
        {MAIL_TEMPLATES[kind].name}
      </TextLink>
    ),
  },
  { head: "보내는 때", className: "text-sm", renderCell: ({ kind }) => <SendingMoment kind={kind} /> },
  {
    head: "문구",
    className: "text-sm whitespace-nowrap",
    renderCell: ({ isChanged, modifiedDate }) => (
      <>
        {isChanged ? <Badge tone="primary">고침</Badge> : <span className="text-gray-60">처음 문구</span>}
        {modifiedDate && (
          <span className="ml-2 text-gray-60">
            <Time date={modifiedDate} />
          </span>
        )}
      </>
    ),
  },
];

function SendingMoment({ kind }: { kind: MailTemplateKind }) {
  const say = useWords();
  return say(MAIL_TEMPLATES[kind].when);
}

export default function MailTemplatesPage({ loaderData: { templates, due } }: Route.ComponentProps) {
  return (
    <>
      <ConsoleHeader
        title="메일 문구"
        description="저절로 나가는 메일과 문자의 제목과 본문입니다. 고치지 않은 것은 처음 문구 그대로 나갑니다."
      />
      <ConsoleSection title="문구">
        <ListTable
          caption="메일 문구"
          columns={COLUMNS}
          rows={templates}
          keyOf={({ kind }) => kind}
          className="md:min-w-[40rem]"
          rowClassName="hover:bg-gray-5"
        />
      </ConsoleSection>
      <DueConsentsSection due={due} />
    </>
  );
}
