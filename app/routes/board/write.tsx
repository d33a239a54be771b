import { useRef, useState, useSyncExternalStore } from "react";
import { boardListHref } from "#app/features/board/board-paths.ts";
import { DraftOffer } from "#app/features/board/write/draft-line.tsx";
import { discardBoardDraft, storeBoardDraft } from "#app/features/board/write/use-draft.ts";
import { type ItemFormStart, itemFormStart, draftFormStart } from "#app/features/board/write/item-form-values.ts";
import { ItemWriteForm } from "#app/features/board/write/write-form.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import { dropLocalDraft, keepLocalDraft, readDraftSlots, readLocalDraft } from "#app/lib/local-drafts.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { toast } from "#app/ui/toast.tsx";
import { boardPath, itemNo } from "#worker/contract/board/input.ts";
import type { DraftView } from "#worker/contract/board/view.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { getBoardWritePage } from "#worker/domain/board/edit-page.server.ts";
import type { Route } from "./+types/write";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => {
  const path = boardPath.extend({ itemNo: itemNo.optional() }).safeParse({
    boardCode: params.boardCode.toLowerCase(),
    itemNo: params.itemNo,
  });
  if (!path.success) throw new AppError("NOT_FOUND", { message: "글을 찾을 수 없습니다." });
  return getBoardWritePage(scope, path.data);
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
  return <WriteScreen key={`${params.boardCode}/${params.itemNo ?? ""}`} data={loaderData} />;
}

type DraftSlot = ReturnType<typeof readDraftSlots<ItemFormStart>>[number];
const newSlot = () => Math.random().toString(36).slice(2, 10);
const NO_SLOTS: readonly DraftSlot[] = [];

interface DraftOfferData {
  start: ItemFormStart;
  date: string;
}

/** What could not reach the server may be newer in this browser. */
function newestDraft(
  onServer: DraftView | null,
  here: { value: ItemFormStart; date: string } | null,
): DraftOfferData | null {
  if (here && (!onServer || here.date > onServer.modifiedDate))
    return { start: draftFormStart(here.value), date: here.date };
  return onServer && { start: draftFormStart(onServer), date: onServer.modifiedDate };
}

const subscribeToNothing = () => () => {};
/** Read when the form opens, not again: from then on it is the form's own. */
function computeOnce<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

function WriteScreen({ data }: { data: Route.ComponentProps["loaderData"] }) {
  const { board, item, writer } = data;
  const place = { userId: writer.userId, boardCode: board.boardCode, itemNo: item?.itemNo ?? null };
  const [form, setForm] = useState({ start: itemFormStart(item), changed: false, generation: 0, slot: newSlot() });
  const [decided, setDecided] = useState(false);
  const [readKept] = useState(() => computeOnce(() => readLocalDraft<ItemFormStart>(place)));
  const kept = useSyncExternalStore(subscribeToNothing, readKept, () => null);
  const offer = decided ? null : newestDraft(data.draft, kept);
  const [readAside] = useState(() => computeOnce(() => readDraftSlots<ItemFormStart>(place)));
  const foundAside = useSyncExternalStore(subscribeToNothing, readAside, () => NO_SLOTS);
  const [asideNow, setAsideNow] = useState<readonly DraftSlot[] | null>(null);
  const aside = asideNow ?? foundAside;
  const putAside = useRef<(slot: string) => void>(() => undefined);
  const [dropping, setDropping] = useState(false);

  const restart = (start: ItemFormStart, changed: boolean, slot = newSlot()) =>
    setForm(({ generation }) => ({ start, changed, generation: generation + 1, slot }));
  /** Another text comes into the form: what stands there now is kept beside it, and offered in its turn. */
  const exchange = (start: ItemFormStart, taken?: DraftSlot) => {
    putAside.current(form.slot);
    if (taken && offer === null) {
      keepLocalDraft(place, start);
      dropLocalDraft({ ...place, slot: taken.slot });
    }
    restart(start, true, taken && offer ? taken.slot : newSlot());
    setAsideNow(readDraftSlots<ItemFormStart>(place).filter((each) => each.slot !== taken?.slot));
  };
  const dropAside = (dropped: DraftSlot) => {
    dropLocalDraft({ ...place, slot: dropped.slot });
    setAsideNow(aside.filter((each) => each !== dropped));
  };
  const drop = async () => {
    setDropping(true);
    try {
      await discardBoardDraft(place);
      dropLocalDraft(place);
      setDecided(true);
    } catch (error) {
      toast(error instanceof AppError ? error.message : "임시저장한 글을 버리지 못했습니다.", "error");
    } finally {
      setDropping(false);
    }
  };
  const title = item ? "글 수정" : "글쓰기";
  return (
    <>
      <PageHeader title={title} parents={[{ label: board.boardName, href: boardListHref(board.boardCode) }]} />
      <div className="container-page container-reading pt-8 pb-16 md:pt-10 md:pb-24">
        {offer && (
          <DraftOffer
            draftTitle={offer.start.title}
            date={offer.date}
            outdated={item !== null && offer.start.fields.version !== item.version}
            busy={dropping}
            onTake={() => {
              exchange(offer.start);
              setDecided(true);
            }}
            onDrop={drop}
          />
        )}
        {aside.map((each) => (
          <DraftOffer
            key={each.slot}
            draftTitle={each.value.title}
            date={each.date}
            outdated={item !== null && each.value.fields.version !== item.version}
            busy={false}
            onTake={() => exchange(draftFormStart(each.value), each)}
            onDrop={() => dropAside(each)}
          />
        ))}
        <ItemWriteForm
          key={form.generation}
          page={data}
          start={form.start}
          changed={form.changed}
          slot={offer === null ? null : form.slot}
          putAside={putAside}
          onRestart={(start) => restart(start, false)}
          onPublished={async () => {
            // Another text that waits for its writer is no part of what was published.
            if (offer) await storeBoardDraft(place, offer.start).catch(() => undefined);
          }}
        />
      </div>
    </>
  );
}
