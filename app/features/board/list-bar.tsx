import { lookUp } from "#worker/contract/kernel/labels.ts";
import Calendar from "lucide-react/icons/calendar";
import { Link } from "react-router";
import type { BoardListChoice } from "#app/features/board/board-paths.ts";
import { useBoardTexts } from "#app/features/board/board-texts.ts";
import { useBoardHrefs } from "#app/features/board/post-texts.ts";
import { formatCount } from "#app/lib/format.ts";
import { cx } from "#app/ui/cx.ts";
import { PageSizes } from "#app/ui/pager.tsx";
import { UserText } from "#app/ui/user-text.tsx";
import type { BoardInfo } from "#worker/contract/board/view.ts";
import Bell from "lucide-react/icons/bell";
import BellOff from "lucide-react/icons/bell-off";
import { useState } from "react";
import { api, callApi } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { toast } from "#app/ui/toast.tsx";
import { useAction } from "#app/features/form/action.tsx";
import type { BoardListPage } from "#worker/domain/board/list.server.ts";

const FEWEST = 10;
const SIZES = [FEWEST, 20, 50];

export function BoardListBar({
  board,
  items,
  choice,
  following,
}: Pick<BoardListPage, "board" | "items" | "following"> & { choice: BoardListChoice }) {
  const { list: texts } = useBoardTexts();
  const hrefs = useBoardHrefs();
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <p className="tabular mr-auto text-gray-70">
        {texts.total.before}
        <strong className="text-primary-60">{formatCount(items.totalElements)}</strong>
        {texts.total.after}
        <span aria-hidden="true" className="text-gray-40">
          {" · "}
        </span>
        {texts.pageOf(
          items.page <= items.totalPages ? formatCount(items.page) : undefined,
          formatCount(items.totalPages),
        )}
      </p>
      <div className="flex items-center max-md:order-1 max-md:-ml-2 max-md:w-full">
        {board.useEvents && (
          <Link
            to={hrefs.to(`/calendar?board=${board.boardCode}`)}
            className="inline-flex min-h-11 items-center gap-1.5 rounded-md px-2 text-sm font-semibold text-gray-70 hover:bg-gray-10"
          >
            <Calendar aria-hidden="true" className="size-4" />
            {texts.asCalendar}
          </Link>
        )}
        {following !== null && <FollowButton key={board.boardCode} board={board} following={following} />}
      </div>
      {items.totalElements > FEWEST && (
        <PageSizes
          sizes={SIZES}
          current={items.size}
          href={(size) => hrefs.list(board.boardCode, { ...choice, page: 1, size })}
          label={texts.sizes}
          each={texts.each}
        />
      )}
    </div>
  );
}

interface CategoryFilterProps {
  board: BoardInfo;
  current: string;
  choice: BoardListChoice;
}

export function CategoryFilter({ board, current, choice }: CategoryFilterProps) {
  const { list: texts } = useBoardTexts();
  const hrefs = useBoardHrefs();
  if (board.categories.length === 0) return null;
  return (
    <nav aria-label={texts.categories} className="mb-5">
      <ul className="flex flex-wrap gap-2">
        {["", ...board.categories].map((category) => (
          <li key={category}>
            <Link
              to={hrefs.list(board.boardCode, { ...choice, page: 1, category })}
              aria-current={category === current ? "true" : undefined}
              preventScrollReset
              className={cx(
                "filter-chip",
                category === current
                  ? "border-primary-60 bg-primary-60 text-white"
                  : "border-gray-30 text-gray-70 hover:border-primary-60 hover:text-primary-60",
              )}
            >
              <UserText>
                {category ? (lookUp(board.categoryNames, category) ?? category) : texts.allCategories}
              </UserText>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function FollowButton({ board, following }: { board: BoardInfo; following: boolean }) {
  const [on, setOn] = useState(following);
  const { busy, run } = useAction({
    reloads: "never",
    onFailure({ message }) {
      toast(message, "error");
      return true;
    },
  });
  const toggle = () =>
    run(
      async () => {
        const at = { param: { boardCode: board.boardCode } };
        const follow = api.board[":boardCode"].follow;
        const answer = await (on ? callApi(follow.$delete(at)) : callApi(follow.$put({ ...at, json: {} })));
        setOn(answer.following);
        return answer.following;
      },
      (isFollowed) =>
        isFollowed
          ? `${board.boardName}에 새 글이 올라오면 메일로 알려 드립니다.`
          : `${board.boardName} 알림을 껐습니다.`,
    );
  const Icon = on ? BellOff : Bell;
  return (
    <Button variant="quiet" size="sm" busy={busy} onClick={() => void toggle()} className="needs-script">
      <Icon aria-hidden="true" className="size-4.5" />
      <span>{on ? "알림 해제" : "알림 받기"}</span>
    </Button>
  );
}
