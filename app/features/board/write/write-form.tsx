import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { boardItemHref, boardListHref } from "#app/features/board/board-paths.ts";
import { TextConflict } from "#app/features/editor/text-conflict.tsx";
import { DraftStatusLine } from "#app/features/board/write/draft-line.tsx";
import { now } from "#app/lib/clock.ts";
import { LeaveGuard } from "#app/features/form/leave-guard.tsx";
import { EventFields, ItemOptions } from "./item-options.tsx";
import { RichEditor } from "#app/features/editor/lazy-editor.ts";
import type { EditorHandle } from "#app/features/editor/rich-editor.tsx";
import { SigninDialog } from "#app/features/form/signin-dialog.tsx";
import { useBoardDraft } from "#app/features/board/write/use-draft.ts";
import { useItemSubmit } from "#app/features/board/write/use-item-submit.ts";
import { type ItemFormStart, itemFormStart } from "#app/features/board/write/item-form-values.ts";
import { FileField } from "#app/features/file/upload/file-field.tsx";
import { useUploads } from "#app/features/file/upload/use-uploads.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { ErrorSummary } from "#app/features/form/error-summary.tsx";
import { Field, FieldError, Input, RequiredMark, Select } from "#app/ui/field.tsx";
import { toast } from "#app/ui/toast.tsx";
import { useIsHydrated } from "#app/lib/use-is-hydrated.ts";
import { LazyPart } from "#app/ui/lazy-part.tsx";
import type { BoardWritePage } from "#worker/domain/board/write.server.ts";

const IMAGE_WITHOUT_ALT = /<img\b(?![^>]*\balt="[^"]+")/;

interface ItemWriteFormProps {
  page: BoardWritePage;
  start: ItemFormStart;
  /** True if `start` was a draft that differs from the published item. */
  changed: boolean;
  isAside: boolean;
  putAside: RefObject<() => void>;
  onRestart: (start: ItemFormStart) => void;
  /** The route keeps a draft that was still undecided. */
  onPublished: () => Promise<void>;
}

/** Text controls are uncontrolled so that React never interrupts IME composition. */
export function ItemWriteForm({ page, start, changed, isAside, putAside, onRestart, onPublished }: ItemWriteFormProps) {
  const { board, item, writer } = page;
  const navigate = useNavigate();
  const hydrated = useIsHydrated();
  const editor = useRef<EditorHandle>(null);
  const form = useRef<HTMLFormElement>(null);
  const summary = useRef<HTMLDivElement>(null);
  const [signin, setSignin] = useState<((signedIn: boolean) => void) | null>(null);
  const [asking, setAsking] = useState(false);
  const described = useRef(false);
  const askSignin = () => new Promise<boolean>((resolve) => setSignin(() => resolve));
  const uploads = useUploads(board.boardCode, board.file, start.files, () => void askSignin());

  const values = useRef<ItemFormStart>(start);
  const files = uploads.items.flatMap(({ fileId, fileName, size }) => (fileId ? [{ fileId, fileName, size }] : []));
  const fileKey = uploads.fileIds.join();
  useEffect(() => {
    const typed = values.current;
    values.current = { ...typed, files, fields: { ...typed.fields, fileIds: files.map((file) => file.fileId) } };
    // oxlint-disable-next-line react/exhaustive-deps -- `files` is new with each rendering; `fileKey` says when it changed
  }, [fileKey]);
  const [read] = useState(() => () => values.current);
  const place = { userId: writer.userId, boardCode: board.boardCode, itemNo: item?.itemNo ?? null };
  const draft = useBoardDraft(place, read, isAside);

  const published = useRef(false);
  const [first] = useState(() => JSON.stringify(start));
  const dirty = useRef<() => boolean>(() => false);
  useEffect(() => {
    dirty.current = () => !published.current && (changed || uploads.busy || JSON.stringify(values.current) !== first);
  });
  useEffect(() => {
    putAside.current = () => {
      if (JSON.stringify(values.current) !== first) draft.keep();
    };
  });
  const change = (part: Partial<ItemFormStart>) => {
    values.current = { ...values.current, ...part };
    draft.touch();
  };
  const changeFields = (part: Partial<ItemFormStart["fields"]>) =>
    change({ fields: { ...values.current.fields, ...part } });

  const { submit, busy, errors, conflict, takeMine, closeConflict } = useItemSubmit({
    page,
    read,
    draft,
    askSignin,
    pending: () => uploads.busy || (editor.current?.isBusy() ?? false),
    failed: uploads.items.some((each) => each.state === "failed"),
    async onDone(itemNo) {
      published.current = true;
      await onPublished();
      toast(item ? "글을 수정하였습니다." : "글을 등록하였습니다.", "success");
      await navigate(boardItemHref(board.boardCode, itemNo), { replace: item !== null });
    },
    onErrors() {
      // Runs after the errors are rendered; focuses the first invalid field.
      setTimeout(() => {
        const wrong = form.current?.querySelector<HTMLElement>("[aria-invalid=true]");
        (wrong ?? summary.current)?.focus();
      });
    },
  });
  const toContent = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    editor.current?.focus();
  };
  return (
    <>
      <form
        ref={form}
        noValidate
        className="flex flex-col gap-7"
        onSubmit={(event) => {
          event.preventDefault();
          if (!described.current && IMAGE_WITHOUT_ALT.test(values.current.content)) setAsking(true);
          else void submit();
        }}
      >
        <ErrorSummary ref={summary} errors={errors} />
        {board.categories.length > 0 && (
          <Field id="category" label="분류" error={errors.category} className="max-w-xs">
            <Select
              name="category"
              options={board.categories}
              placeholder="분류 없음"
              defaultValue={start.fields.category}
              onChange={(event) => changeFields({ category: event.target.value })}
            />
          </Field>
        )}
        <Field id="title" label="제목" required error={errors.title}>
          <Input
            name="title"
            autoComplete="off"
            enterKeyHint="next"
            defaultValue={start.title}
            onInput={(event) => change({ title: event.currentTarget.value })}
            onKeyDown={toContent}
          />
        </Field>
        <ItemOptions
          board={board}
          initial={start.fields}
          canSchedule={item === null || item.publishDate !== null}
          errors={errors}
          onChange={changeFields}
        />
        {board.useEvents && <EventFields initial={start.fields.event} errors={errors} onChange={changeFields} />}
        <div>
          <p aria-hidden="true" className="mb-2 font-semibold text-gray-90">
            내용
            <RequiredMark />
          </p>
          {hydrated ? (
            <LazyPart fallback={<ItemEditorFallback />}>
              <RichEditor
                id="content"
                label="내용"
                initial={start.content}
                invalid={Boolean(errors.content)}
                describedBy={errors.content ? "content-error" : undefined}
                ref={editor}
                onChange={(content) => change({ content })}
                onSignedOut={() => void askSignin()}
                onFiles={(dropped) => uploads.add(dropped).forEach((refusal) => toast(refusal, "error"))}
              />
            </LazyPart>
          ) : (
            <ItemEditorFallback />
          )}
          {errors.content && <FieldError id="content-error">{errors.content}</FieldError>}
        </div>
        <FileField uploads={uploads} limits={board.file} error={errors.files} />
        <div className="flex flex-wrap items-center justify-between gap-3 border-t border-gray-20 pt-6">
          <DraftStatusLine
            status={draft.status}
            onSignin={() => void askSignin().then((signedIn) => (signedIn ? draft.save() : undefined))}
          />
          <div className="ml-auto flex gap-2">
            <ButtonLink to={item ? boardItemHref(board.boardCode, item.itemNo) : boardListHref(board.boardCode)}>
              취소
            </ButtonLink>
            <Button variant="primary" type={hydrated ? "submit" : "button"} busy={busy}>
              {item ? "수정" : "등록"}
            </Button>
          </div>
        </div>
      </form>
      <SigninDialog
        open={signin !== null}
        writer={writer}
        onDone={(signedIn) => {
          signin?.(signedIn);
          setSignin(null);
        }}
      />
      {conflict && (
        <TextConflict
          mine={read()}
          stored={conflict}
          busy={busy}
          onClose={closeConflict}
          onTakeMine={takeMine}
          onTakeStored={() => {
            const publishDate = Date.parse(conflict.createdDate) > now() ? conflict.createdDate : null;
            closeConflict();
            draft.forget();
            onRestart(itemFormStart({ ...conflict, publishDate }));
          }}
        />
      )}
      <ConfirmDialog
        open={asking}
        onClose={() => {
          setAsking(false);
          editor.current?.focus();
        }}
        onConfirm={() => {
          // Asks only once, because a picture may be decorative.
          described.current = true;
          setAsking(false);
          void submit();
        }}
        title="설명이 없는 그림이 있습니다"
        confirmLabel={item ? "설명 없이 수정" : "설명 없이 등록"}
        cancelLabel="설명 입력하기"
      >
        <p>
          그림의 설명(대체 텍스트)은 그림을 볼 수 없는 사람에게 읽어 줍니다. 그림을 누르고 ‘그림 설명’을 누르면 쓸 수
          있습니다. 꾸밈을 위한 그림이면 비워 두셔도 됩니다.
        </p>
      </ConfirmDialog>
      <LeaveGuard isDirty={dirty} />
    </>
  );
}

function ItemEditorFallback() {
  return (
    <div className="flex min-h-100 items-center justify-center rounded-md border border-gray-40 text-gray-60">
      <noscript>글을 쓰려면 브라우저의 자바스크립트를 켜 주십시오.</noscript>
      <span className="needs-script">편집기를 불러오는 중입니다.</span>
    </div>
  );
}
