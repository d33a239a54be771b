import type { ReactNode } from "react";
import { ArticleBody, type ArticleStyle } from "#app/features/file/article.tsx";
import { AttachmentList } from "#app/features/file/attachment-list.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Alert } from "#app/ui/alert.tsx";
import { WithContentsList } from "#app/features/content/contents-list.tsx";
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
  return (
    <div className="container-page pt-6 pb-16 md:pb-24">
      <PreviewAlert isPreview={page.isPreview} />
      <WithContentsList sections={sections}>
        {children}
        {content && <ArticleBody html={content} pictures={pictures} articleStyle={look} />}
        <AttachmentList files={page.files} canDownload />
      </WithContentsList>
    </div>
  );
}
