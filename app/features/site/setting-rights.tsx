import { ConsoleSection } from "#app/features/form/console-header.tsx";
import { ListTable } from "#app/features/list/searched-list.tsx";
import { Badge } from "#app/ui/inline.tsx";
import type { SimulatedSettings } from "#worker/domain/site/simulate-settings.server.ts";

/** A role that was asked about has no other name. */
export const namedWithRole = ({ who, roleName }: { who: string; roleName: string }) =>
  who === roleName ? who : `${who} (${roleName})`;

type Shown = SimulatedSettings["settings"][number];
type ShownField = Shown["fields"][number];

/** Fields that differ from their section, by what they ask. */
const NOTES: [string, (field: ShownField, shown: Shown) => boolean][] = [
  ["바꿀 수 없는 항목", ({ allowed }, shown) => shown.allowed && !allowed],
  ["사유와 두 번째 인증을 묻는 항목", ({ allowed, asksProof }) => allowed && asksProof],
  ["바꾸면 시스템 관리자 모두에게 알리는 항목", ({ allowed, tellsAdministrators }) => allowed && tellsAdministrators],
];

function notesOf(shown: Shown): string[] {
  const notes = NOTES.flatMap(([title, isMeant]) => {
    const labels = shown.fields.filter((field) => isMeant(field, shown)).map(({ label }) => label);
    return labels.length > 0 ? [`${title}: ${labels.join(", ")}`] : [];
  });
  const floors = shown.fields.flatMap(({ allowed, label, floor }) =>
    allowed && floor !== null ? [`${label}: ${floor}보다 작게는 시스템 관리자만 정합니다.`] : [],
  );
  return [...notes, ...floors, ...(shown.allowed && shown.more ? [shown.more] : [])];
}

/** The one reason why a person may change no setting at all. */
function reasonForNothing({ settings }: SimulatedSettings): string | null {
  const [reason = null, ...others] = new Set(settings.map((row) => (row.allowed ? null : row.reason)));
  return others.length === 0 ? reason : null;
}

/** The sections of the settings, with what the asked person may change. */
export function SettingRights({ shown }: { shown: SimulatedSettings }) {
  const title = `${namedWithRole(shown)} · 바꿀 수 있는 설정`;
  const nothing = reasonForNothing(shown);
  if (nothing !== null)
    return (
      <ConsoleSection title={title}>
        <p className="text-gray-70">없습니다. {nothing}</p>
      </ConsoleSection>
    );
  return (
    <ConsoleSection title={title}>
      <ListTable
        caption="바꿀 수 있는 설정"
        rows={shown.settings}
        keyOf={({ section, rows }) => `${section} ${rows[0]?.code ?? ""}`}
        className="md:min-w-[48rem]"
        columns={[
          {
            head: "설정",
            className: "md:w-2/5",
            renderCell: ({ name, rows }) => (
              <>
                <span className="font-semibold">{name}</span>
                {rows.length > 0 && (
                  <span className="block text-sm text-gray-60">{rows.map((row) => row.name).join(", ")}</span>
                )}
              </>
            ),
          },
          {
            head: "바꾸기",
            className: "whitespace-nowrap",
            renderCell: ({ allowed }) => (
              <Badge tone={allowed ? "success" : "gray"}>{allowed ? "할 수 있음" : "할 수 없음"}</Badge>
            ),
          },
          {
            head: "이유와 항목",
            renderCell: (row) => (
              <ul className="grid gap-1">
                {!row.allowed && <li>{row.reason}</li>}
                {notesOf(row).map((note) => (
                  <li key={note}>{note}</li>
                ))}
              </ul>
            ),
          },
        ]}
      />
    </ConsoleSection>
  );
}
