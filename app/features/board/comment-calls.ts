import { useRevalidator } from "react-router";
import { api, callApi } from "#app/lib/api.ts";
import type { CommentView, ItemRow } from "#worker/contract/board/view.ts";

export interface CommentCalls {
  create(content: string, parentCommentId?: string): Promise<void>;
  update(comment: CommentView, content: string): Promise<void>;
  remove(comment: CommentView): Promise<void>;
}

/** Each call resolves after its result is shown. */
export function useCommentCalls({ boardCode, itemNo }: Pick<ItemRow, "boardCode" | "itemNo">): CommentCalls {
  const { revalidate } = useRevalidator();
  const comments = api["board-item-comment"][":boardCode"][":itemNo"];
  const param = { boardCode, itemNo: String(itemNo) };
  return {
    async create(content, parentCommentId) {
      await callApi(comments.$put({ param, json: { content, ...(parentCommentId ? { parentCommentId } : {}) } }));
      await revalidate();
    },
    async update({ commentId, version }, content) {
      await callApi(comments[":commentId"].$patch({ param: { ...param, commentId }, json: { content, version } }));
      await revalidate();
    },
    async remove({ commentId }) {
      await callApi(comments[":commentId"].$delete({ param: { ...param, commentId } }));
      await revalidate();
    },
  };
}
