import type { ReactNode } from "react";
import { Link, useNavigate } from "react-router";
import { MypageSection } from "#app/features/account/mypage/mypage-section.tsx";
import { useToastedAction } from "#app/features/form/use-toasted-action.ts";
import { CallPhaseBadge, CallTimes, DueDay, ProposalBadge } from "#app/features/proposal/marks.tsx";
import { writeProposalHref } from "#app/features/proposal/proposal-paths.ts";
import { api, callApi, ONCE } from "#app/lib/api.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { Button } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { StateBadge, Time } from "#app/ui/inline.tsx";
import { LinkedText } from "#app/ui/linked-text.tsx";
import { proposalHref, REVIEW_DESK, reviewHref } from "#worker/contract/proposal/proposal.ts";
import type { OpenCall } from "#worker/contract/proposal/view.ts";
import { getOwnProposals } from "#worker/domain/proposal/own.server.ts";
import type { Route } from "./+types/proposals";

export const loader = pageLoader(async (scope, _args: Route.LoaderArgs) => getOwnProposals(scope));

export default function MypageProposals({ loaderData: { calls, proposals, reviews } }: Route.ComponentProps) {
  return (
    <div className="grid gap-12">
      {reviews.length > 0 && (
        <MypageSection title="심의할 제안서" hint="이해상충이 없음을 확인하신 뒤에 제안서를 볼 수 있습니다.">
          <Rows label="심의할 제안서">
            {reviews.map(({ id, number, title, callTitle, status, dueDay }) => (
              <Row
                key={id}
                badge={<StateBadge desk={REVIEW_DESK} state={status} />}
                href={reviewHref(id)}
                title={title}
                note={
                  <>
                    {number} · {callTitle}
                    {dueDay && status !== "submitted" && (
                      <>
                        {" · "}
                        <DueDay day={dueDay} />
                        까지
                      </>
                    )}
                  </>
                }
              />
            ))}
          </Rows>
        </MypageSection>
      )}
      <MypageSection title="내 제안서">
        {proposals.length === 0 ? (
          <Empty className="border-y border-gray-20">제출하거나 작성 중인 제안서가 없습니다.</Empty>
        ) : (
          <Rows label="내 제안서">
            {proposals.map(({ id, number, title, callTitle, status, isLead, modifiedDate, commands }) => (
              <Row
                key={id}
                badge={<ProposalBadge status={status} />}
                href={commands.includes("save") ? writeProposalHref(id) : proposalHref(id)}
                title={title || "제목 없는 제안서"}
                note={
                  <>
                    {[number, callTitle, !isLead && "공동연구자"].filter(Boolean).join(" · ")} ·{" "}
                    <Time date={modifiedDate} />
                  </>
                }
                more={
                  commands.includes("save") && (
                    <Link
                      to={proposalHref(id)}
                      className="relative z-10 text-sm text-primary-60 underline underline-offset-4"
                    >
                      진행 상황<span className="sr-only">: {title || "제목 없는 제안서"}</span>
                    </Link>
                  )
                }
              />
            ))}
          </Rows>
        )}
      </MypageSection>
      <MypageSection title="공모">
        {calls.length === 0 ? (
          <p className="text-gray-60">지금 접수하는 공모가 없습니다.</p>
        ) : (
          <ul aria-label="공모" className="grid gap-4">
            {calls.map((call) => (
              <CallCard key={call.id} call={call} />
            ))}
          </ul>
        )}
      </MypageSection>
    </div>
  );
}

const Rows = ({ label, children }: { label: string; children: ReactNode }) => (
  <ul aria-label={label} className="divide-y divide-gray-20 border-y border-gray-20">
    {children}
  </ul>
);

interface RowProps {
  badge: ReactNode;
  href: string;
  title: string;
  note: ReactNode;
  more?: ReactNode;
}

const Row = ({ badge, href, title, note, more }: RowProps) => (
  <li className="relative flex flex-wrap items-center gap-x-3 gap-y-1 px-1 py-3.5 hover:bg-gray-5">
    {badge}
    <span className="order-last w-full min-w-0 md:order-none md:w-auto md:flex-1">
      <Link
        to={href}
        className="text-gray-90 underline-offset-4 after:absolute after:inset-0 hover:text-primary-60 hover:underline"
      >
        {title}
      </Link>
      <span className="tabular block text-sm text-gray-60">{note}</span>
    </span>
    {more}
  </li>
);

function CallCard({ call }: { call: OpenCall }) {
  const { id, title, text, phase } = call;
  const navigate = useNavigate();
  const { busy, run } = useToastedAction();
  const start = () =>
    run(async () => {
      const made = await callApi(api.proposal.$post({ json: { callId: id }, header: ONCE }));
      await navigate(writeProposalHref(made.id));
    }, null);
  return (
    <li className="rounded-xl border border-gray-20 p-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <CallPhaseBadge phase={phase} />
        <h3 className="text-lg">{title}</h3>
      </div>
      <p className="mt-1 text-sm text-gray-60">
        <CallTimes {...call} />
      </p>
      {text && (
        <p className="mt-3 whitespace-pre-line">
          <LinkedText>{text}</LinkedText>
        </p>
      )}
      {phase === "open" && (
        <Button size="sm" variant="primary" className="needs-script mt-4" busy={busy} onClick={() => void start()}>
          제안서 쓰기<span className="sr-only">: {title}</span>
        </Button>
      )}
    </li>
  );
}
