import { useWords } from "#app/lib/page-language.ts";
import { CertificateRows } from "#app/features/alumni/certificate/certificate-rows.tsx";
import { type HandedSegment, readHandedSegment } from "#app/features/alumni/segment-state.ts";
import { useLocation, useNavigate } from "react-router";
import { useIsHydrated } from "#app/lib/use-is-hydrated.ts";
import {
  CertificatePaper,
  CertificateSheets,
  type PaperText,
} from "#app/features/alumni/certificate/certificate-sheet.tsx";
import { ConsoleHeader, ConsoleSection } from "#app/features/form/console-header.tsx";
import { useListSearch } from "#app/features/list/searched-list.tsx";
import { loadSearchedList, pageLoader } from "#app/lib/page-loader.server.ts";
import { Pager } from "#app/ui/pager.tsx";
import { listCertificatesQuery } from "#worker/contract/alumni/input.ts";
import { idField } from "#worker/contract/kernel/fields.ts";
import { listOpenKinds, type OpenKind } from "#worker/domain/alumni/certificate-kind.server.ts";
import {
  type CertificatePreview,
  getCertificates,
  listCertificates,
} from "#worker/domain/alumni/certificate.server.ts";
import type { Route } from "./+types/certificates";
import { useEffect, useState } from "react";
import { QuestionButton, REASON_HINT, useAction } from "#app/features/form/action.tsx";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { leftOutSentence } from "#app/features/alumni/left-out-text.ts";
import { formatCount } from "#app/lib/format.ts";
import { Alert, ErrorAlert } from "#app/ui/alert.tsx";
import { Field, Input, Select } from "#app/ui/field.tsx";
import { CERTIFICATE_LIMITS, PURPOSE_FIELD } from "#worker/contract/alumni/certificate.ts";
import { withParticle } from "#worker/contract/kernel/wording.ts";

export const loader = pageLoader(async (scope, { request }: Route.LoaderArgs) => {
  const id = idField.safeParse(new URL(request.url).searchParams.get("id"));
  const [list, shown, kinds] = await Promise.all([
    loadSearchedList(request, listCertificatesQuery, (query) => listCertificates(scope, query)),
    id.success ? getCertificates(scope, id.data) : [],
    scope.context().then((ctx) => listOpenKinds(ctx, false)),
  ]);
  return { list, shown, kinds };
});

export default function CertificatesPage({ loaderData: { list, shown, kinds } }: Route.ComponentProps) {
  const say = useWords();
  const { href } = useListSearch("/Admin/Certificates");
  const state: unknown = useLocation().state;
  const handed = useIsHydrated() ? readHandedSegment(state) : null;
  return (
    <>
      <ConsoleHeader
        description={say(
          "회원이 마이페이지에서 발급하거나 사무국이 발급한 증명서입니다. {동문주소록}에서 사람을 찾거나 고른 뒤 ‘증명서’를 누르면 발급합니다.",
        )}
        links={[
          { label: say("{동문주소록}"), href: "/Alumni" },
          { label: "증명서 종류", href: "/Admin/CertificateKinds" },
          { label: "확인 화면", href: "/Certificate" },
        ]}
      />
      {handed && kinds.length > 0 && <IssueCertificates handed={handed} kinds={kinds} />}
      <CertificateSheets certificates={shown} />
      <CertificateRows certificates={list.content} base="/Admin/Certificates" withName />
      <Pager list={list} href={href} label="증명서 페이지 이동" />
    </>
  );
}

/** Shows the count, the people left out and the first certificate before it issues them. */
function IssueCertificates({ handed, kinds }: { handed: HandedSegment; kinds: readonly OpenKind[] }) {
  const { segment, count } = handed;
  const navigate = useNavigate();
  const [kindId, setKindId] = useState(kinds[0]?.id ?? "");
  const [purpose, setPurpose] = useState("");
  const [typed, setTyped] = useState("");
  const [answer, setAnswer] = useState<{ key: string; preview: CertificatePreview | null } | null>(null);
  const { busy, run, message } = useAction({ reloads: "never" });
  const kind = kinds.find(({ id }) => id === kindId);
  const key = JSON.stringify({ segment, kindId, purpose });
  const look = async () => {
    const json = JSON.parse(key) as { segment: typeof segment; kindId: string; purpose: string };
    setAnswer({ key, preview: await callApi(api.certificate.preview.$post({ json })) });
  };
  // An action that is busy takes no second one: the newest choice is asked for once it is free.
  useEffect(() => {
    if (busy || answer?.key === key) return;
    void run(look, null).then((isDone) => isDone || setAnswer({ key, preview: null }));
    // oxlint-disable-next-line react/exhaustive-deps -- `run` is new on each render
  }, [busy, key, answer?.key]);
  const preview = answer?.key === key ? answer.preview : null;
  const total = preview?.count ?? 0;
  const issue = (reason: string) =>
    callApi(
      api.certificate.issued.$put({ json: { segment, kindId, purpose, count: total, reason }, header: ONCE }),
    ).catch(async (error: unknown) => {
      await look().catch(() => undefined);
      throw error;
    });
  return (
    <ConsoleSection title={`주소록에서 고른 ${formatCount(count)}명에게 발급`}>
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="증명서 종류">
          <Select
            value={kindId}
            options={kinds.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(event) => setKindId(event.target.value)}
          />
        </Field>
        {kind?.takesPurpose && (
          <Field label={PURPOSE_FIELD} hint="예: 회사 제출">
            <Input
              value={typed}
              maxLength={CERTIFICATE_LIMITS.purpose}
              onChange={(event) => setTyped(event.target.value)}
              onBlur={() => setPurpose(typed.trim())}
            />
          </Field>
        )}
      </div>
      <ErrorAlert className="mt-4">{message}</ErrorAlert>
      {preview && (
        <>
          {preview.leftOut.map(({ cause, count: left, names }) => (
            <Alert key={cause} tone="warning" className="mt-4" title={leftOutSentence(cause, left)}>
              {names.join(", ")}
              {left > names.length && ` 외 ${formatCount(left - names.length)}명`}
            </Alert>
          ))}
          <div className="my-6 flex flex-wrap items-center justify-between gap-3 rounded-lg bg-gray-5 px-4 py-4">
            <p role="status">
              <strong className="tabular">{formatCount(total)}명</strong>에게 한 장씩 발급합니다.
            </p>
            <QuestionButton
              variant="primary"
              disabled={total === 0}
              question={{
                label: "발급",
                title: `${formatCount(total)}명에게 ${withParticle(kind?.name ?? "", "을/를")} 발급하시겠습니까?`,
                reasonHint: REASON_HINT,
                reloads: "never",
                work: (reason) => issue(reason),
                done: ({ count: issued }) => `${formatCount(issued)}명에게 증명서를 발급하였습니다.`,
                onDone: ({ id }) => navigate(`/Admin/Certificates?id=${id}`),
              }}
            >
              증명서 발급
            </QuestionButton>
          </div>
          {preview.sample && (
            <section aria-label="첫 사람의 증명서 보기" className="mb-10">
              <CertificatePaper certificate={preview.sample satisfies PaperText} />
            </section>
          )}
        </>
      )}
    </ConsoleSection>
  );
}
