import { ConsoleSection } from "#app/features/form/console-header.tsx";
import { EnglishField } from "#app/features/form/english-field.tsx";
import { BOARD_TYPES, megabytes } from "#app/features/board/setting/board-values.ts";
import { Checkbox, CheckboxGroup } from "#app/ui/choice.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { NumberField } from "#app/ui/number-field.tsx";
import { Select } from "#app/ui/select.tsx";
import { Textarea } from "#app/ui/textarea.tsx";
import { BOARD_LIMITS } from "#worker/contract/board/rules.ts";
import type { AdminBoard } from "#worker/contract/board/view.ts";

interface BoardFieldsProps {
  board: AdminBoard;
  errors: Record<string, string>;
}

export function BoardBasics({ board, errors }: BoardFieldsProps) {
  return (
    <ConsoleSection title="기본">
      <div className="grid gap-5 md:grid-cols-2">
        <Field label="이름" required error={errors.boardName}>
          <Input name="boardName" defaultValue={board.boardName} maxLength={BOARD_LIMITS.boardName} />
        </Field>
        <Field label="모양">
          <Select name="boardType" defaultValue={board.boardType} options={BOARD_TYPES} />
        </Field>
        <Field label="설명" className="md:col-span-2" error={errors.description}>
          <Input name="description" defaultValue={board.description} maxLength={BOARD_LIMITS.description} />
        </Field>
        <Field label="분류" hint="한 줄에 하나씩 적습니다." error={errors.categories}>
          <Textarea name="categories" defaultValue={board.categories.join("\n")} />
        </Field>
        <div className="grid content-start gap-5">
          <NumberField
            label="한 페이지의 글 수"
            hint={`${BOARD_LIMITS.pageSizeMin}~${BOARD_LIMITS.pageSizeMax}`}
            error={errors.pageSize}
            name="pageSize"
            min={BOARD_LIMITS.pageSizeMin}
            max={BOARD_LIMITS.pageSizeMax}
            defaultValue={board.pageSize}
          />
          <div>
            <Checkbox name="useComment" label="댓글을 쓸 수 있습니다" defaultChecked={board.useComment} />
            <br />
            <Checkbox name="useSecret" label="비밀글을 쓸 수 있습니다" defaultChecked={board.useSecret} />
            <br />
            <Checkbox
              name="useEvents"
              label="글에 일정(일시와 장소)을 적을 수 있습니다"
              defaultChecked={board.useEvents}
            />
          </div>
        </div>
      </div>
    </ConsoleSection>
  );
}

const ENGLISH_FIELDS = [
  { name: "englishName", label: "영문 이름", hint: "비워 두면 영문 페이지에도 한글 이름이 나옵니다." },
  { name: "englishDescription", label: "영문 설명", hint: undefined },
] as const;

export function EnglishBoardFields({ board, errors }: BoardFieldsProps) {
  return (
    <ConsoleSection title="영문 페이지">
      <div className="grid gap-5 md:grid-cols-2">
        {ENGLISH_FIELDS.map((field) => (
          <EnglishField key={field.name} {...field} of={board} maxLength={BOARD_LIMITS[field.name]} errors={errors} />
        ))}
        <Field
          label="영문 분류"
          hint="위의 분류와 같은 차례로 한 줄에 하나씩 적습니다."
          error={errors.englishCategories}
        >
          <Textarea name="englishCategories" lang="en" defaultValue={board.englishCategories.join("\n")} />
        </Field>
      </div>
    </ConsoleSection>
  );
}

export function BoardFileFields({ board, errors, extensions }: BoardFieldsProps & { extensions: string[] }) {
  return (
    <ConsoleSection title="첨부파일">
      <div className="grid gap-5 md:grid-cols-2">
        <NumberField
          label="글 하나에 올릴 수 있는 개수"
          hint="0이면 올릴 수 없습니다."
          error={errors.fileMaxCount}
          name="fileMaxCount"
          min={0}
          max={BOARD_LIMITS.filesMax}
          defaultValue={board.fileMaxCount}
        />
        <Field label="파일 하나의 크기 (MB)" hint="20MB까지" error={errors.fileMaxSize}>
          <Input
            name="fileMaxMegabytes"
            type="number"
            min={0}
            max={20}
            step="any"
            defaultValue={megabytes(board.fileMaxSize)}
          />
        </Field>
      </div>
      <div className="mt-5">
        <CheckboxGroup
          legend="올릴 수 있는 형식"
          name="fileExtensions"
          options={extensions}
          defaultValue={board.fileExtensions}
          error={errors.fileExtensions}
        />
      </div>
    </ConsoleSection>
  );
}
