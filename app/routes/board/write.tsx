import { useState, useSyncExternalStore } from "react";
import { listPath } from "#app/features/board/paths.ts";
import { DraftOffer } from "#app/features/board/write/draft-line.tsx";
import { deleteDraft, putDraft } from "#app/features/board/write/use-draft.ts";
import { type Start, startOf, startOfDraft } from "#app/features/board/write/values.ts";
import { WriteForm } from "#app/features/board/write/write-form.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { dropDraft, keptDraft } from "#app/lib/drafts.ts";
import { pageMeta } from "#app/lib/meta.ts";
import { page } from "#app/lib/page.server.ts";
import { toast } from "#app/ui/toast.tsx";
import { boardPath, itemNo } from "#worker/contract/board/input.ts";
import type { DraftView } from "#worker/contract/board/view.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { boardWritePage } from "#worker/domain/board/edit-page.server.ts";
import type { Route } from "./+types/write";

export const loader = page(async (door, { params }: Route.LoaderArgs) => {
  const path = boardPath.extend({ itemNo: itemNo.optional() }).safeParse({
    boardCode: params.boardCode.toLowerCase(),
    itemNo: params.itemNo,
  });
  if (!path.success) throw new AppError("NOT_FOUND", { message: "글을 찾을 수 없습니다." });
  return boardWritePage(door, path.data);
});

/** What is being written is not loaded anew under the writer's hands, whoever signs in or out elsewhere. */
export function shouldRevalidate({ currentUrl, nextUrl }: { currentUrl: URL; nextUrl: URL }): boolean {
  return currentUrl.pathname !== nextUrl.pathname;
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { board, item } = loaderData;
  return pageMeta({ matches, title: `${item ? "글 수정" : "글쓰기"} (${board.boardName})` });
}

export default function BoardWrite({ loaderData, params }: Route.ComponentProps) {
  // Another item is another form.
  return <Writing key={`${params.boardCode}/${params.itemNo ?? ""}`} data={loaderData} />;
}

interface Offer {
  start: Start;
  date: string;
}

/** What could not reach the server may be newer in this browser. */
function newest(onServer: DraftView | null, here: { value: Start; date: string } | null): Offer | null {
  if (here && (!onServer || here.date > onServer.modifiedDate))
    return { start: startOfDraft(here.value), date: here.date };
  return onServer && { start: startOfDraft(onServer), date: onServer.modifiedDate };
}

const never = () => () => {};
/** Read when the form opens, not again: from then on it is the form's own. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

function Writing({ data }: { data: Route.ComponentProps["loaderData"] }) {
  const { board, item, writer } = data;
  const place = { userId: writer.userId, boardCode: board.boardCode, itemNo: item?.itemNo ?? null };
  const [form, setForm] = useState({ start: startOf(item), changed: false, generation: 0 });
  const [decided, setDecided] = useState(false);
  const [readKept] = useState(() => once(() => keptDraft<Start>(place)));
  const kept = useSyncExternalStore(never, readKept, () => null);
  const offer = decided ? null : newest(data.draft, kept);
  const [dropping, setDropping] = useState(false);

  const restart = (start: Start, changed: boolean) =>
    setForm(({ generation }) => ({ start, changed, generation: generation + 1 }));
  const drop = async () => {
    setDropping(true);
    try {
      await deleteDraft(place);
      dropDraft(place);
      setDecided(true);
    } catch (error) {
      toast(error instanceof AppError ? error.message : "임시저장한 글을 버리지 못하였습니다.", "error");
    } finally {
      setDropping(false);
    }
  };
  const title = item ? "글 수정" : "글쓰기";
  return (
    <>
      <PageHeader title={title} parents={[{ label: board.boardName, href: listPath(board.boardCode) }]} />
      <div className="container-page max-w-5xl pt-8 pb-16 md:pt-10 md:pb-24">
        {offer && (
          <DraftOffer
            date={offer.date}
            outdated={item !== null && offer.start.fields.version !== item.version}
            busy={dropping}
            onTake={() => {
              restart(offer.start, true);
              setDecided(true);
            }}
            onDrop={drop}
          />
        )}
        <WriteForm
          key={form.generation}
          page={data}
          start={form.start}
          changed={form.changed}
          paused={offer !== null}
          onRestart={(start) => restart(start, false)}
          onPublished={async () => {
            // Another text that waits for its writer is no part of what was published.
            if (offer) await putDraft(place, offer.start).catch(() => undefined);
          }}
        />
      </div>
    </>
  );
}
