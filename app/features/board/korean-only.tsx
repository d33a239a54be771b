import { Link, useLocation } from "react-router";
import { usePostTexts } from "#app/features/board/post-texts.ts";
import { koreanPath } from "#worker/contract/kernel/language.ts";

/** Links to what exists only in Korean. Renders nothing on Korean pages. */
export function KoreanOnly({ children, className }: { children: string; className?: string }) {
  const { pathname, search } = useLocation();
  const { koreanPage } = usePostTexts();
  if (children === "") return null;
  return (
    <p className={`rounded-lg bg-gray-5 px-5 py-4 text-sm text-gray-70 print:hidden ${className ?? ""}`}>
      {children}{" "}
      <Link
        to={koreanPath(pathname) + search}
        hrefLang="ko"
        className="font-semibold whitespace-nowrap text-primary-60 underline underline-offset-4"
      >
        {koreanPage}
      </Link>
    </p>
  );
}
