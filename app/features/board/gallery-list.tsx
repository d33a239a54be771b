import { WriterName } from "#app/features/board/writer-name.tsx";
import ImageIcon from "lucide-react/icons/image";
import { Link } from "react-router";
import { type BoardListChoice } from "#app/features/board/board-paths.ts";
import { useBoardHrefs, usePostTexts } from "#app/features/board/post-texts.ts";
import { RowMarks, SecretMark } from "#app/features/board/row-marks.tsx";
import { Badge, Time } from "#app/ui/inline.tsx";
import { type RowSelection, RowTick } from "./bulk-action-bar.tsx";
import { UserText } from "#app/ui/user-text.tsx";
import type { BoardListPage } from "#worker/domain/board/list.server.ts";

const thumbnailSources = (url: string) =>
  [320, 640, 1280].map((width) => `${url.replace(/width=\d+/, () => `width=${width}`)} ${width}w`).join(", ");

interface GalleryListProps extends Pick<BoardListPage, "items"> {
  choice: BoardListChoice;
  selection?: RowSelection | undefined;
}

export function GalleryList({ items, choice, selection }: GalleryListProps) {
  const texts = usePostTexts();
  const hrefs = useBoardHrefs();
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] gap-x-3 gap-y-6 border-t-2 border-primary-80 pt-6 md:grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] md:gap-x-5 md:gap-y-8">
      {[...items.pinned, ...items.content].map((row) => (
        <li key={row.itemNo} className="group relative">
          <div className="flex aspect-3/2 items-center justify-center overflow-hidden rounded-lg bg-gray-10 text-gray-40">
            {row.thumbnailUrl ? (
              <img
                src={row.thumbnailUrl}
                srcSet={thumbnailSources(row.thumbnailUrl)}
                sizes="(min-width: 768px) 240px, 50vw"
                alt=""
                loading="lazy"
                className="size-full object-cover transition-transform group-hover:scale-105 motion-reduce:transition-none"
              />
            ) : (
              <ImageIcon aria-hidden="true" className="size-10" />
            )}
          </div>
          <p className="mt-3 flex items-start gap-1.5">
            <RowTick row={row} selection={selection} className="relative z-10" />
            {(row.isPinned || row.isSecret) && (
              <span className="flex h-lh shrink-0 items-center gap-1.5">
                {row.isPinned && <Badge tone="solid">{texts.pinned}</Badge>}
                {row.isSecret && <SecretMark />}
              </span>
            )}
            <Link
              to={hrefs.item(row.boardCode, row.itemNo, choice)}
              state={{ fromList: true }}
              className="line-clamp-2 min-w-0 font-semibold text-gray-90 underline-offset-4 after:absolute after:inset-0 hover:text-primary-60 hover:underline"
            >
              <UserText>{texts.titleOf(row.title)}</UserText>
            </Link>
            <span className="flex h-lh shrink-0 items-center gap-1.5">
              <RowMarks row={row} />
            </span>
          </p>
          <p className="mt-1 flex gap-3 text-sm text-gray-60">
            <span>
              <WriterName>{row.createdUserName}</WriterName>
            </span>
            <Time date={row.createdDate} format="short" />
          </p>
        </li>
      ))}
    </ul>
  );
}
