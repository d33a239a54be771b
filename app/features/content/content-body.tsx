import type { ReactNode } from "react";
import { Article, type ArticleLook } from "#app/features/file/article.tsx";
import { Attachments } from "#app/features/file/attachments.tsx";
import { ContentsList, needsContents } from "#app/features/content/contents-list.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Notice } from "#app/ui/notice.tsx";
import type { ContentPage } from "#worker/contract/content/view.ts";
import { MESSAGES } from "#worker/contract/kernel/messages.ts";

export function PreviewNotice({ isPreview }: { isPreview: boolean }) {
  if (!isPreview) return null;
  return (
    <Notice tone="warning" className="print:hidden" title="미리보기">
      발행하지 않은 초안입니다. 관리자에게만 보입니다.
    </Notice>
  );
}

/** The text of a page with its list of contents; an empty one says so. */
export function ContentBody({
  page,
  look,
  children,
}: {
  page: ContentPage;
  look?: ArticleLook | undefined;
  children?: ReactNode;
}) {
  const { content, pictures, sections } = page;
  if (content === "" && !children) {
    return (
      <div className="container-page py-10 md:py-16">
        <PreviewNotice isPreview={page.isPreview} />
        <Empty>{MESSAGES.preparing}</Empty>
      </div>
    );
  }
  const listed = needsContents(sections);
  return (
    <div className="container-page pt-6 pb-16 md:pb-24">
      <PreviewNotice isPreview={page.isPreview} />
      <div className={listed ? "lg:grid lg:grid-cols-[minmax(0,1fr)_15rem] lg:gap-12" : "mx-auto max-w-4xl"}>
        {listed && (
          <div className="mt-4 lg:order-2 lg:mt-10">
            <ContentsList sections={sections} />
          </div>
        )}
        <div className="min-w-0">
          {children}
          {content && <Article html={content} pictures={pictures} look={look} />}
          <Attachments files={page.files} canDownload />
        </div>
      </div>
    </div>
  );
}
