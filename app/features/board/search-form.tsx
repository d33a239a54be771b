import Search from "lucide-react/icons/search";
import type { ReactNode } from "react";
import { Form } from "react-router";
import { useBoardTexts } from "#app/features/board/board-texts.ts";
import { Button } from "#app/ui/button.tsx";
import { Field, Input, Select } from "#app/ui/field.tsx";
import type { SearchTarget } from "#worker/contract/board/search-terms.ts";
import { SIZE_LIMITS } from "#worker/contract/kernel/limits.ts";

interface BoardSearchFormProps {
  action: string;
  keyword: string;
  target: SearchTarget;
  children?: ReactNode;
  autoFocus?: boolean;
}

export function BoardSearchForm({ action, keyword, target, children, autoFocus }: BoardSearchFormProps) {
  const { search: texts } = useBoardTexts();
  return (
    <Form method="get" action={action} role="search" className="print:hidden">
      <div className="flex flex-wrap items-end gap-2">
        <Field label={texts.targetLabel} hideLabel className="w-full md:w-42">
          <Select
            key={target}
            name="target"
            defaultValue={target}
            options={Object.entries(texts.targets).map(([value, label]) => ({ value, label }))}
          />
        </Field>
        <Field label={texts.keyword} hideLabel className="min-w-0 flex-1 md:min-w-60">
          <Input
            key={keyword}
            type="search"
            name="keyword"
            defaultValue={keyword}
            maxLength={SIZE_LIMITS.keywordLength}
            enterKeyHint="search"
            placeholder={texts.placeholder}
            autoFocus={autoFocus}
          />
        </Field>
        <Button type="submit" variant="primary">
          <Search aria-hidden="true" className="size-5" />
          {texts.submit}
        </Button>
      </div>
      {children}
    </Form>
  );
}
