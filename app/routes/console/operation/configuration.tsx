import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { labelled, type ListColumn, ListTable } from "#app/features/list/searched-list.tsx";
import { TRIED_STATES } from "#app/features/operation/part-states.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Alert } from "#app/ui/alert.tsx";
import { Badge, TextLink, Time } from "#app/ui/inline.tsx";
import type { ConfigurationLine } from "#worker/contract/operation/configuration.ts";
import { getConfiguration } from "#worker/domain/operation/configuration.server.ts";
import type { Route } from "./+types/configuration";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => ({
  groups: await getConfiguration(scope, new URL(request.url).origin),
}));

const STATES = {
  ...TRIED_STATES,
  off: { label: "쓰지 않음", tone: "gray" },
  unknown: { label: "아직 모름", tone: "gray" },
  local: { label: "시험용", tone: "warning" },
} as const;

const COLUMNS: ListColumn<ConfigurationLine>[] = [
  {
    head: "설정",
    className: "md:w-88",
    renderCell: ({ label, name }) => (
      <>
        <span className="font-semibold">{label}</span> <code className="text-xs break-all text-gray-60">{name}</code>
      </>
    ),
  },
  labelled(
    "값",
    ({ kind, value, isSet }) => {
      if (!isSet) return "설정 안 함";
      return kind === "value" ? value : kind === "secret" ? "설정됨" : "연결됨";
    },
    "md:w-60",
  ),
  labelled("상태", ({ state }) => <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>, "md:w-28"),
  {
    head: "확인한 것",
    className: ({ note }) => (note === "" ? "max-md:hidden!" : ""),
    renderCell: ({ note, date }) => (
      <>
        {note} {date && <Time date={date} format="datetime" />}
      </>
    ),
  },
];

export default function ConfigurationPage({ loaderData: { groups } }: Route.ComponentProps) {
  const failed = groups.flatMap(({ lines }) => lines).filter(({ state }) => state === "failed");
  return (
    <>
      <ConsoleHeader
        description={
          <>
            사이트를 설치한 사람이 wrangler.toml과 비밀 값으로 정한 것입니다. 여기에서는 보기만 하고, 비밀 값은
            설정하였는지만 보입니다. 다른 프로그램과 연동할 때에는{" "}
            <TextLink to="/api/admin/openapi.json" reloadDocument>
              API 명세(OpenAPI)
            </TextLink>
            를 참고해 주십시오.
          </>
        }
      />
      {failed.length > 0 && (
        <Alert tone="error" className="mb-4" title="확인이 필요한 설정이 있습니다.">
          {failed.map(({ label }) => label).join(", ")}
        </Alert>
      )}
      {groups.map(({ label, lines }) => (
        <ConsoleSection key={label} title={label}>
          <ListTable caption={label} rows={lines} keyOf={({ name }) => name} columns={COLUMNS} />
        </ConsoleSection>
      ))}
    </>
  );
}
