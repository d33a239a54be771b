import { useEffect, useState } from "react";
import { DraftOffer } from "#app/features/board/write/draft-line.tsx";
import { SigninGate } from "#app/features/form/signin-gate.tsx";
import { type DraftValues, snapshotOf, valuesOf } from "#app/features/proposal/draft-values.ts";
import { CallTimes } from "#app/features/proposal/marks.tsx";
import { OWN_PROPOSALS } from "#app/features/proposal/proposal-paths.ts";
import { draftPlaceOf } from "#app/features/proposal/use-proposal-draft.ts";
import { ProposalWriteForm } from "#app/features/proposal/write-form.tsx";
import { dropLocalDraft, type LocalDraft, readLeftDrafts } from "#app/lib/local-drafts.ts";
import { useSiteFrame } from "#app/lib/page-language.ts";
import { pageLoader, readPagePath } from "#app/lib/page-loader.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { Alert } from "#app/ui/alert.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { LinkedText } from "#app/ui/linked-text.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { idPath } from "#worker/contract/kernel/fields.ts";
import { PROPOSAL_DESK, PROPOSAL_MESSAGES, proposalHref } from "#worker/contract/proposal/proposal.ts";
import { getProposalDraft } from "#worker/domain/proposal/own.server.ts";
import type { Route } from "./+types/write";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) =>
  getProposalDraft(scope, readPagePath(idPath, params, PROPOSAL_MESSAGES.missing).id),
);

export const meta: Route.MetaFunction = ({ matches, loaderData }) =>
  pageMeta({ matches, title: [loaderData?.title || "제안서 작성", "연구 제안"] });

export default function ProposalWritePage({ loaderData: draft }: Route.ComponentProps) {
  const userId = useSiteFrame()?.user?.id ?? "";
  return (
    <>
      <PageHeader
        title="제안서 작성"
        parents={[
          { label: "마이페이지", href: "/Mypage" },
          { label: "연구 제안", href: OWN_PROPOSALS },
        ]}
      />
      <SigninGate keepsDrafts className="container-page container-reading grid gap-8 pt-8 pb-16 md:pt-10 md:pb-24">
        <section aria-labelledby="call-title" className="rounded-xl bg-primary-5 p-5 md:p-7">
          <h2 id="call-title" className="text-xl">
            {draft.call.title}
          </h2>
          <p className="mt-2">
            <CallTimes {...draft.call} />
          </p>
          {draft.call.text && (
            <p className="mt-3 whitespace-pre-line">
              <LinkedText>{draft.call.text}</LinkedText>
            </p>
          )}
        </section>
        {draft.reason && (
          <Alert tone="warning" title={PROPOSAL_DESK.states[draft.status]}>
            <p className="mt-1 whitespace-pre-line">{draft.reason}</p>
          </Alert>
        )}
        {draft.commands.includes("save") && !draft.commands.includes("submit") && (
          <Alert tone="warning" title="지금은 제출할 수 없습니다.">
            접수 기간이 아닌 공모입니다. 쓰신 내용은 그대로 남아 있고, 고쳐서 저장할 수 있습니다.
          </Alert>
        )}
        {draft.commands.includes("save") ? (
          <DraftDesk key={draft.id} {...{ draft, userId }} />
        ) : (
          <Alert title="지금은 고칠 수 없는 제안서입니다.">
            <ButtonLink to={proposalHref(draft.id)} className="mt-3">
              제안서 보기
            </ButtonLink>
          </Alert>
        )}
      </SigninGate>
    </>
  );
}

function DraftDesk({ draft, userId }: Pick<Parameters<typeof ProposalWriteForm>[0], "draft"> & { userId: string }) {
  const { id } = draft;
  const [form, setForm] = useState({ start: valuesOf(draft), generation: 0 });
  const [left, setLeft] = useState<readonly LocalDraft<DraftValues>[]>([]);
  const [first] = useState(() => snapshotOf(form.start));
  useEffect(() => {
    let isHere = true;
    const place = draftPlaceOf(userId, id);
    const show = (found: readonly LocalDraft<DraftValues>[]) =>
      isHere ? setLeft(found.filter(({ value }) => snapshotOf(value) !== first)) : undefined;
    void readLeftDrafts<DraftValues>(place).then(show);
    return () => {
      isHere = false;
    };
  }, [userId, id, first]);
  const place = draftPlaceOf(userId, id);
  const restart = (start: DraftValues) => setForm(({ generation }) => ({ start, generation: generation + 1 }));
  const drop = ({ slot }: LocalDraft<DraftValues>) => {
    dropLocalDraft(place, slot);
    setLeft((known) => known.filter((each) => each.slot !== slot));
  };
  return (
    <div>
      {left.map((kept) => (
        <DraftOffer
          key={kept.slot}
          draftTitle={kept.value.title}
          date={kept.date}
          outdated={kept.value.version !== draft.version}
          changed="저장된 제안서가"
          busy={false}
          onTake={() => {
            drop(kept);
            restart(kept.value);
          }}
          onDrop={() => drop(kept)}
        />
      ))}
      <ProposalWriteForm key={form.generation} {...{ draft, place }} start={form.start} onRestart={restart} />
    </div>
  );
}
