import Link2 from "lucide-react/icons/link-2";
import List from "lucide-react/icons/list";
import Printer from "lucide-react/icons/printer";
import Share2 from "lucide-react/icons/share-2";
import { type MouseEvent, useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { type BoardListChoice, boardListHref, boardWriteHref } from "#app/features/board/board-paths.ts";
import { useBoardHrefs, usePostTexts } from "#app/features/board/post-texts.ts";
import { useItemTexts } from "#app/features/board/item-texts.ts";
import { listenToItemActions } from "#app/features/board/item-listeners.ts";
import { ReportButton } from "#app/features/board/report-button.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { toast } from "#app/ui/toast.tsx";
import { type Question, QuestionButton } from "#app/features/form/action.tsx";
import type { BoardViewPage } from "#worker/domain/board/view.server.ts";

interface ItemActionsProps {
  boardCode: string;
  itemNo: number;
  choice: BoardListChoice;
  can: BoardViewPage["can"];
  mine: boolean;
}

export function ItemActions({ boardCode, itemNo, choice, can, mine }: ItemActionsProps) {
  const ref = useRef<HTMLDivElement>(null);
  const texts = useItemTexts();
  const { doInKorean } = usePostTexts();
  const hrefs = useBoardHrefs();
  // English pages hide writing actions; these exist only on the Korean page.
  const isWhole = doInKorean === "";
  useEffect(() => (ref.current ? listenToItemActions(ref.current, toast) : undefined), []);
  return (
    <div ref={ref} id="item-actions" className="mt-8 flex flex-wrap items-center justify-between gap-3 print:hidden">
      <ListLink boardCode={boardCode} choice={choice} />
      <div className="flex flex-wrap gap-2">
        {/* Is shown only where the browser supports the Web Share API. */}
        <Button size="sm" data-item-act="share" hidden>
          <Share2 aria-hidden="true" className="size-4.5" />
          {texts.share}
        </Button>
        <Button
          size="sm"
          className="needs-script"
          data-item-act="copy"
          data-path={hrefs.item(boardCode, itemNo)}
          data-copied={texts.copied}
          data-copy-failed={texts.copyFailed}
        >
          <Link2 aria-hidden="true" className="size-4.5" />
          {texts.copy}
        </Button>
        <Button size="sm" className="needs-script" data-item-act="print">
          <Printer aria-hidden="true" className="size-4.5" />
          {texts.print}
        </Button>
        {isWhole && can.report && !mine && <ReportButton boardCode={boardCode} itemNo={itemNo} />}
        {isWhole && can.change && (
          <>
            <ButtonLink size="sm" to={`/board/${boardCode}/History/${itemNo}`}>
              수정 이력
            </ButtonLink>
            <ButtonLink size="sm" to={boardWriteHref(boardCode, itemNo)}>
              수정
            </ButtonLink>
            <DeleteItemButton boardCode={boardCode} itemNo={itemNo} choice={choice} />
          </>
        )}
      </div>
    </div>
  );
}

/** Steps back if the visitor came from the list, so that its scroll position is kept. */
function ListLink({ boardCode, choice }: { boardCode: string; choice: BoardListChoice }) {
  const navigate = useNavigate();
  const texts = useItemTexts();
  const hrefs = useBoardHrefs();
  const state = useLocation().state as { fromList?: boolean } | null;
  const back = (event: MouseEvent) => {
    if (!state?.fromList || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    void navigate(-1);
  };
  return (
    <ButtonLink to={hrefs.list(boardCode, choice)} data-list-link variant="primary" size="sm" onClick={back}>
      <List aria-hidden="true" className="size-4.5" />
      {texts.list}
    </ButtonLink>
  );
}

function DeleteItemButton({ boardCode, itemNo, choice }: Omit<ItemActionsProps, "can" | "mine">) {
  const navigate = useNavigate();
  const param = { boardCode, itemNo: String(itemNo) };
  const question: Question = {
    label: "삭제",
    title: "글을 삭제하시겠습니까?",
    text: <p>삭제한 글은 목록에서 사라집니다. 되살리시려면 관리자에게 문의하여 주시기 바랍니다.</p>,
    danger: true,
    reloads: "never",
    work: () => callApi(api["board-item"][":boardCode"][":itemNo"].$delete({ param })),
    done: "글을 삭제하였습니다.",
    onDone: () => navigate(boardListHref(boardCode, choice), { replace: true }),
  };
  return <QuestionButton question={question} />;
}
