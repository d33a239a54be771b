import Search from "lucide-react/icons/search";
import type { ReactNode } from "react";
import { Form } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { Field } from "#app/ui/field.tsx";
import { Input } from "#app/ui/input.tsx";
import { Select } from "#app/ui/select.tsx";
import type { SearchTarget } from "#worker/contract/board/search-terms.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";

const TARGETS: { value: SearchTarget; label: string }[] = [
  { value: "titleContent", label: "제목+내용" },
  { value: "title", label: "제목" },
  { value: "content", label: "내용" },
  { value: "writer", label: "작성자" },
  { value: "file", label: "첨부파일" },
  { value: "all", label: "전체" },
];

interface BoardSearchFormProps {
  /** Where the answer stands; a plain GET, so that it works without JavaScript too. */
  action: string;
  keyword: string;
  target: SearchTarget;
  /** What is put together with the word: a board, dates. */
  children?: ReactNode;
  autoFocus?: boolean;
}

export function BoardSearchForm({ action, keyword, target, children, autoFocus }: BoardSearchFormProps) {
  return (
    <Form method="get" action={action} role="search" className="print:hidden">
      <div className="flex flex-wrap items-end gap-2">
        <Field label="검색 대상" hideLabel className="w-full md:w-36">
          <Select key={target} name="target" defaultValue={target} options={TARGETS} />
        </Field>
        <Field label="검색어" hideLabel className="min-w-0 flex-1 md:min-w-60">
          <Input
            key={keyword}
            type="search"
            name="keyword"
            defaultValue={keyword}
            maxLength={SIZE_LIMITS.keywordLength}
            enterKeyHint="search"
            placeholder="검색어를 입력해 주십시오"
            autoFocus={autoFocus}
          />
        </Field>
        <Button type="submit" variant="primary">
          <Search aria-hidden="true" className="size-5" />
          검색
        </Button>
      </div>
      {children}
    </Form>
  );
}
