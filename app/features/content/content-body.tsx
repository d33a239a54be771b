import type { ReactNode } from "react";
import { ArticleBody, type ArticleStyle } from "#app/features/file/article.tsx";
import { AttachmentList } from "#app/features/file/attachment-list.tsx";
import { ContentsList, needsContentsList } from "#app/features/content/contents-list.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Alert } from "#app/ui/alert.tsx";
import type { ContentPage } from "#worker/contract/content/view.ts";
import { UI_MESSAGES } from "#worker/contract/kernel/messages.ts";

export function PreviewAlert({ isPreview }: { isPreview: boolean }) {
  if (!isPreview) return null;
  return (
    <Alert tone="warning" className="print:hidden" title="미리보기">
      발행하지 않은 초안입니다. 관리자에게만 보입니다.
    </Alert>
  );
}

/** The text of a page with its list of contents; an empty one says so. */
export function ContentBody({
  page,
  look,
  children,
}: {
  page: ContentPage;
  look?: ArticleStyle | undefined;
  children?: ReactNode;
}) {
  const { content, pictures, sections } = page;
  if (content === "" && !children) {
    return (
      <div className="container-page py-10 md:py-16">
        <PreviewAlert isPreview={page.isPreview} />
        <Empty>{UI_MESSAGES.preparing}</Empty>
      </div>
    );
  }
  const listed = needsContentsList(sections);
  return (
    <div className="container-page pt-6 pb-16 md:pb-24">
      <PreviewAlert isPreview={page.isPreview} />
      <div className={listed ? "lg:grid lg:grid-cols-[minmax(0,1fr)_15rem] lg:gap-12" : "max-w-4xl"}>
        {listed && (
          <div className="mt-4 lg:order-2 lg:mt-10">
            <ContentsList sections={sections} />
          </div>
        )}
        <div className="min-w-0">
          {children}
          {content && <ArticleBody html={content} pictures={pictures} articleStyle={look} />}
          <AttachmentList files={page.files} canDownload />
        </div>
      </div>
    </div>
  );
}
