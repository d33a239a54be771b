import Bell from "lucide-react/icons/bell";
import BellOff from "lucide-react/icons/bell-off";
import { useState } from "react";
import { api, callApi } from "#app/lib/api.ts";
import { Button } from "#app/ui/button.tsx";
import { toast } from "#app/ui/toast.tsx";
import { useAction } from "#app/features/form/use-action.ts";
import type { BoardInfo } from "#worker/contract/board/view.ts";

export function FollowButton({ board, following }: { board: BoardInfo; following: boolean }) {
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
