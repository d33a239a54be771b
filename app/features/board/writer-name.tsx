import { usePostTexts } from "#app/features/board/post-texts.ts";
import { UserText } from "#app/ui/user-text.tsx";

export const WriterName = ({ children }: { children: string }) => (
  <UserText>{usePostTexts().writerOf(children)}</UserText>
);
