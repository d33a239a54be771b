import { useEffect, useRef, useState } from "react";
import { boardListHref } from "#app/features/board/board-paths.ts";
import { DraftOffer } from "#app/features/board/write/draft-line.tsx";
import { discardBoardDraft, storeBoardDraft } from "#app/features/board/write/use-draft.ts";
import { type ItemFormStart, itemFormStart, draftFormStart } from "#app/features/board/write/item-form-values.ts";
import { ItemWriteForm } from "#app/features/board/write/write-form.tsx";
import { PageHeader } from "#app/ui/page-header.tsx";
import {
  dropLocalDraft,
  type LocalDraft,
  type LocalDraftPlace,
  readHeldSlots,
  readLocalDrafts,
} from "#app/lib/local-drafts.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { pageLoader } from "#app/lib/page-loader.server.ts";
import { toast } from "#app/ui/toast.tsx";
import { boardPath, itemNo as itemNoPath } from "#worker/contract/board/input.ts";
import type { DraftView } from "#worker/contract/board/view.ts";
import { AppError } from "#worker/contract/kernel/errors.ts";
import { getBoardWritePage } from "#worker/domain/board/write.server.ts";
import type { Route } from "./+types/write";

export const loader = pageLoader(async (scope, { params }: Route.LoaderArgs) => {
  const path = boardPath.extend({ itemNo: itemNoPath.optional() }).safeParse({
    boardCode: params.boardCode.toLowerCase(),
    itemNo: params.itemNo,
  });
  if (!path.success) throw new AppError("NOT_FOUND", { message: "글을 찾을 수 없습니다." });
  return getBoardWritePage(scope, path.data);
});

/** Does not reload while writing, even after a sign-in or sign-out in another tab. */
export function shouldRevalidate({ currentUrl, nextUrl }: { currentUrl: URL; nextUrl: URL }): boolean {
  return currentUrl.pathname !== nextUrl.pathname;
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { board, item } = loaderData;
  return pageMeta({ matches, title: `${item ? "글 수정" : "글쓰기"} (${board.boardName})` });
}

export default function BoardWrite({ loaderData, params }: Route.ComponentProps) {
  return <WriteScreen key={`${params.boardCode}/${params.itemNo ?? ""}`} data={loaderData} />;
}

interface Offer extends LocalDraft<ItemFormStart> {
  isOnServer: boolean;
}

/** Returns the newest draft of each writing that closed pages left here or on the server. */
async function readOffers(place: LocalDraftPlace, onServer: DraftView | null): Promise<Offer[]> {
  const isHeld = await readHeldSlots(place);
  const value = onServer && draftFormStart(onServer);
  const slot = value?.fields.formKey;
  const here = readLocalDrafts<ItemFormStart>(place).map((each) => ({ ...each, isOnServer: each.slot === slot }));
  const newer = here.find((each) => each.isOnServer && each.date >= (onServer?.modifiedDate ?? ""));
  const there = value && slot && !newer ? [{ slot, value, date: onServer.modifiedDate, isOnServer: true }] : [];
  return [...there, ...here.filter((each) => !each.isOnServer || each === newer)]
    .filter((each) => !isHeld(each.slot))
    .toSorted((first, second) => second.date.localeCompare(first.date));
}

function WriteScreen({ data }: { data: Route.ComponentProps["loaderData"] }) {
  const { board, item, writer, draft: onServer } = data;
  const { userId } = writer;
  const { boardCode } = board;
  const itemNo = item?.itemNo ?? null;
  const place = { userId, boardCode, itemNo };
  const [form, setForm] = useState({ start: itemFormStart(item), changed: false, generation: 0 });
  const [offers, setOffers] = useState<readonly Offer[] | null>(null);
  const putAside = useRef<() => void>(() => undefined);
  const [dropping, setDropping] = useState(false);
  useEffect(() => {
    let isHere = true;
    void readOffers({ userId, boardCode, itemNo }, onServer).then((found) => (isHere ? setOffers(found) : undefined));
    return () => {
      isHere = false;
    };
  }, [userId, boardCode, itemNo, onServer]);

  const restart = (start: ItemFormStart, changed: boolean) =>
    setForm(({ generation }) => ({ start, changed, generation: generation + 1 }));
  const withdraw = (offer: Offer) => setOffers((found) => found?.filter((each) => each !== offer) ?? null);
  /** Keeps the current text as a draft before replacing it. */
  const takeUp = (offer: Offer) => {
    putAside.current();
    const own = form.start.fields.formKey;
    const typed = readLocalDrafts<ItemFormStart>(place).filter(({ slot }) => slot === own);
    setOffers((found) => [
      ...typed.map((each) => ({ ...each, isOnServer: false })),
      ...(found ?? []).filter((each) => each !== offer),
    ]);
    restart(draftFormStart(offer.value), true);
  };
  const drop = async (offer: Offer) => {
    setDropping(true);
    try {
      if (offer.isOnServer) await discardBoardDraft(place);
      dropLocalDraft(place, offer.slot);
      withdraw(offer);
    } catch (error) {
      toast(error instanceof AppError ? error.message : "임시저장한 글을 버리지 못했습니다.", "error");
    } finally {
      setDropping(false);
    }
  };
  /** Publishing replaced the server's draft, so the newest remaining one is stored again. */
  const keepOthers = async () => {
    const [newest] = [...(offers ?? []), ...readLocalDrafts<ItemFormStart>(place)].filter(
      ({ slot }) => slot !== form.start.fields.formKey,
    );
    if (newest) await storeBoardDraft(place, draftFormStart(newest.value)).catch(() => undefined);
  };
  const title = item ? "글 수정" : "글쓰기";
  return (
    <>
      <PageHeader title={title} parents={[{ label: board.boardName, href: boardListHref(board.boardCode) }]} />
      <div className="container-page container-reading pt-8 pb-16 md:pt-10 md:pb-24">
        {offers?.map((offer) => (
          <DraftOffer
            key={offer.slot}
            draftTitle={offer.value.title}
            date={offer.date}
            outdated={item !== null && offer.value.fields.version !== item.version}
            busy={dropping}
            onTake={() => takeUp(offer)}
            onDrop={() => drop(offer)}
          />
        ))}
        <ItemWriteForm
          key={form.generation}
          page={data}
          start={form.start}
          changed={form.changed}
          isAside={onServer !== null && (offers === null || offers.some((each) => each.isOnServer))}
          putAside={putAside}
          onRestart={(start) => restart(start, false)}
          onPublished={keepOthers}
        />
      </div>
    </>
  );
}
