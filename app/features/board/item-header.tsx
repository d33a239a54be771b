import type { ReactNode } from "react";
import { SecretMark } from "#app/features/board/row-marks.tsx";
import { formatCount } from "#app/lib/format.ts";
import { Badge } from "#app/ui/badge.tsx";
import { cx } from "#app/ui/cx.ts";
import { Time } from "#app/ui/time.tsx";
import type { ItemView } from "#worker/contract/board/view.ts";

export function ItemHeader({ item }: { item: ItemView }) {
  return (
    <header className="mt-5 md:mt-7">
      {(item.isPinned || item.category || item.isSecret) && (
        <p className="mb-3 flex items-center gap-2">
          {item.isPinned && <Badge tone="solid">공지</Badge>}
          {item.category && <Badge tone="primary">{item.category}</Badge>}
          {item.isSecret && <SecretMark />}
        </p>
      )}
      <h1 className="text-xl md:text-[1.75rem]/[1.4]">{item.title}</h1>
      <dl className="mt-4 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        <ItemFact name="작성자">{item.createdUserName}</ItemFact>
        <ItemFact name="등록일" obvious>
          <Time date={item.createdDate} format="datetime" />
        </ItemFact>
        <ItemFact name="조회">
          <span className="tabular">{formatCount(item.viewCount)}</span>
        </ItemFact>
      </dl>
    </header>
  );
}

/** `obvious`: a phone has no room for the name of what speaks for itself. */
function ItemFact({ name, obvious, children }: { name: string; obvious?: boolean; children: ReactNode }) {
  return (
    <div className="flex gap-2">
      <dt className={cx("text-gray-60", obvious && "max-md:sr-only")}>{name}</dt>
      <dd className="font-medium text-gray-80">{children}</dd>
    </div>
  );
}
