import { ownValue } from "#worker/contract/kernel/labels.ts";
import type { ReactNode } from "react";
import { SecretMark } from "#app/features/board/row-marks.tsx";
import { formatCount } from "#app/lib/format.ts";
import { Badge } from "#app/ui/badge.tsx";
import { cx } from "#app/ui/cx.ts";
import { Time } from "#app/ui/time.tsx";
import { usePostTexts } from "#app/features/board/post-texts.ts";
import { useTexts } from "#app/lib/page-language.ts";
import { UserText } from "#app/ui/user-text.tsx";
import type { BoardInfo, ItemView } from "#worker/contract/board/view.ts";

export function ItemHeader({ item, board }: { item: ItemView; board: BoardInfo }) {
  const texts = usePostTexts();
  const { langOf } = useTexts();
  const category = ownValue(board.categoryNames, item.category) ?? item.category;
  return (
    <header className="mt-5 md:mt-7">
      {(item.isPinned || item.category || item.isSecret) && (
        <p className="mb-3 flex items-center gap-2">
          {item.isPinned && <Badge tone="solid">{texts.pinned}</Badge>}
          {category && (
            <Badge tone="primary">
              <UserText>{category}</UserText>
            </Badge>
          )}
          {item.isSecret && <SecretMark />}
        </p>
      )}
      <h1 lang={langOf(item.title)} className="text-xl md:text-[1.75rem]/[1.4]">
        {item.title}
      </h1>
      <dl className="mt-4 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        <ItemFact name={texts.writer}>
          <UserText>{item.createdUserName}</UserText>
        </ItemFact>
        <ItemFact name={texts.date} obvious>
          <Time date={item.createdDate} format="datetime" />
        </ItemFact>
        <ItemFact name={texts.views}>
          <span className="tabular">{formatCount(item.viewCount)}</span>
        </ItemFact>
      </dl>
    </header>
  );
}

/** `obvious` hides the name on phones. */
function ItemFact({ name, obvious, children }: { name: string; obvious?: boolean; children: ReactNode }) {
  return (
    <div className="flex gap-2">
      <dt className={cx("text-gray-60", obvious && "max-md:sr-only")}>{name}</dt>
      <dd className="font-medium text-gray-80">{children}</dd>
    </div>
  );
}
