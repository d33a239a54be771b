import { labelled, type ListColumn, ListTable } from "#app/features/list/searched-list.tsx";
import { QuestionButton, REASON_HINT } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { Badge, TextLink, Time } from "#app/ui/inline.tsx";
import { CERTIFICATE_STATE_LABELS } from "#worker/contract/alumni/certificate.ts";
import type { CertificateView } from "#worker/domain/alumni/certificate.server.ts";

const TONES = { valid: "success", expired: "gray", withdrawn: "danger" } as const;

export function CertificateStateBadge({ state }: Pick<CertificateView, "state">) {
  return <Badge tone={TONES[state]}>{CERTIFICATE_STATE_LABELS[state]}</Badge>;
}

const columnsFor = (base: string, withName: boolean): ListColumn<CertificateView>[] => [
  {
    head: "번호",
    className: "tabular font-semibold whitespace-nowrap",
    renderCell: ({ id, documentNumber }) => <TextLink to={`${base}?id=${id}`}>{documentNumber}</TextLink>,
  },
  labelled("증명서", ({ kindName }) => kindName),
  ...(withName ? [{ head: "이름", renderCell: ({ name }: CertificateView) => name || "탈퇴하거나 삭제된 사람" }] : []),
  labelled("발급일", ({ createdDate }) => <Time date={createdDate} />),
  labelled("유효 기간", ({ expiresDate }) => (expiresDate ? <Time date={expiresDate} /> : "없음")),
  { head: "상태", renderCell: ({ state }) => <CertificateStateBadge state={state} /> },
  {
    head: "관리",
    hidesHead: true,
    renderCell: ({ id, documentNumber, state }) =>
      state === "valid" && (
        <QuestionButton
          question={{
            label: "증명서 무효 처리",
            title: `${documentNumber} 증명서의 효력을 없애시겠습니까?`,
            text: "되돌릴 수 없습니다. 이미 건넨 종이를 확인하는 사람에게도 효력이 없다고 보입니다.",
            danger: true,
            reasonHint: REASON_HINT,
            work: (reason) => callApi(api.certificate[":id"].withdraw.$post({ param: { id }, json: { reason } })),
            done: "증명서의 효력을 없앴습니다.",
          }}
        />
      ),
  },
];

interface CertificateRowsProps {
  certificates: readonly CertificateView[];
  base: string;
  withName?: boolean;
}

export function CertificateRows({ certificates, base, withName = false }: CertificateRowsProps) {
  return (
    <ListTable
      caption="발급한 증명서"
      columns={columnsFor(base, withName)}
      rows={certificates}
      keyOf={({ id }) => id}
      emptyText="발급한 증명서가 없습니다."
    />
  );
}
