import { useState } from "react";
import type { useBoardDraft } from "#app/features/board/write/use-draft.ts";
import {
  eventFormProblems,
  itemRequestBody,
  makeIdempotencyKey,
  type ItemFormStart,
} from "#app/features/board/write/item-form-values.ts";
import { useAction } from "#app/features/form/action.tsx";
import { api, callApi } from "#app/lib/api.ts";
import { AppError, ERRORS } from "#worker/contract/kernel/errors.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";
import type { BoardWritePage } from "#worker/domain/board/write.server.ts";
import type { ItemView } from "#worker/domain/board/view.server.ts";

interface Submission {
  page: BoardWritePage;
  read: () => ItemFormStart;
  draft: ReturnType<typeof useBoardDraft>;
  askSignin: () => Promise<boolean>;
  pending: () => boolean;
  failed: boolean;
  onDone: (itemNo: number) => Promise<void>;
  onErrors: () => void;
}

const ITEM_DELETED =
  "그사이 글이 삭제되었거나 게시판이 닫혀 저장하지 못했습니다. 쓰신 내용은 이 화면에 그대로 있으니 다른 곳에 복사해 두시기 바랍니다.";

const CONTROL_BY_FIELD: Record<string, string> = {
  fileIds: "files",
  "event.startDate": "eventStart",
  "event.endDate": "eventEnd",
  "event.place": "eventPlace",
  "event.deadline": "eventDeadline",
};

/** Handles double clicks, expired sessions and edit conflicts. */
export function useItemSubmit(options: Submission) {
  const { page, read, draft, askSignin, pending, failed, onDone, onErrors } = options;
  const { boardCode, permissions, useSecret, useEvents } = page.board;
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [conflict, setConflict] = useState<ItemView | null>(null);
  const param = { boardCode, itemNo: String(page.item?.itemNo ?? 0) };
  const item = api["board-item"][":boardCode"][":itemNo"];
  const fail = (found: Record<string, string>) => {
    setErrors(found);
    draft.resume();
    onErrors();
  };
  const { busy, run } = useAction({
    reloads: "never",
    askSignin,
    async onFailure(failure) {
      if (failure.code === "NOT_FOUND") fail({ form: ITEM_DELETED });
      else if (failure.code !== "CONFLICT" || !page.item) fail(errorsByControl(failure));
      else {
        try {
          setConflict(await callApi(item.$get({ param })));
        } catch (thrown) {
          fail(errorsByControl(thrown));
        }
      }
      return true;
    },
  });

  const send = async (version: number): Promise<number> => {
    const schedule = page.item === null || page.item.publishDate !== null;
    const values = read();
    const body = itemRequestBody(values, {
      manage: permissions.manage,
      secret: useSecret,
      events: useEvents,
      schedule,
    });
    if (page.item) {
      await callApi(item.$patch({ param, json: { ...body, version } }));
      return page.item.itemNo;
    }
    const header = { "Idempotency-Key": await makeIdempotencyKey(values.fields.formKey, JSON.stringify(body)) };
    const made = await callApi(api["board-item"][":boardCode"].$put({ param: { boardCode }, json: body, header }));
    return made.itemNo;
  };
  const submitVersion = (version: number) => {
    setErrors({});
    return run(async () => {
      await draft.stop();
      // Keeps the text and its idempotency key in case the page closes before the answer.
      draft.keep();
      const itemNo = await send(version);
      draft.forget();
      await onDone(itemNo);
    }, null);
  };

  return {
    busy,
    errors,
    conflict,
    async submit() {
      if (busy) return;
      const found = findProblems(read(), pending(), failed);
      if (Object.keys(found).length > 0) return fail(found);
      await submitVersion(read().fields.version);
    },
    async takeMine() {
      const version = conflict?.version;
      if (version === undefined) return;
      setConflict(null);
      await submitVersion(version);
    },
    closeConflict() {
      setConflict(null);
      draft.resume();
    },
  };
}

function findProblems({ title, content, fields }: ItemFormStart, pending: boolean, failed: boolean) {
  const found: Record<string, string> = {};
  const length = title.normalize("NFC").trim().length;
  if (length === 0) found.title = "제목을 입력해 주십시오.";
  else if (length > SIZE_LIMITS.titleLength)
    found.title = `제목은 ${SIZE_LIMITS.titleLength}자까지 입력할 수 있습니다. (지금 ${length}자)`;
  const { body } = new DOMParser().parseFromString(content, "text/html");
  if (!body.querySelector("img") && body.textContent.trim() === "") found.content = "내용을 입력해 주십시오.";
  if (fields.publishDate !== "" && Number.isNaN(Date.parse(fields.publishDate)))
    found.publishDate = "발행 일시를 다시 입력해 주십시오.";
  Object.assign(found, eventFormProblems(fields.event));
  if (pending) found.files = "파일을 올리고 있습니다. 다 올라간 뒤에 다시 눌러 주십시오.";
  else if (failed) found.files = "올리지 못한 파일이 있습니다. 다시 올리거나 목록에서 빼 주십시오.";
  return found;
}

function errorsByControl(thrown: unknown): Record<string, string> {
  if (!(thrown instanceof AppError)) return { form: ERRORS.INTERNAL_ERROR.message };
  const fields = Object.entries(thrown.fields ?? {});
  if (fields.length === 0) return { form: thrown.message };
  return Object.fromEntries(fields.map(([name, message]) => [CONTROL_BY_FIELD[name] ?? name, message]));
}
