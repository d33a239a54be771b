import { Badge } from "#app/ui/inline.tsx";

interface ContentState {
  status: "draft" | "published";
  hasDraft: boolean;
  versionNo?: number | null;
}

export function ContentStateBadges({ status, hasDraft }: ContentState) {
  return (
    <>
      {status === "published" ? <Badge tone="success">게시 중</Badge> : <Badge>준비 중</Badge>}
      {hasDraft && <Badge tone="warning">초안 있음</Badge>}
    </>
  );
}
