import { commitMove, sendArchives } from "./move.ts";
import {
  folderArchive,
  oldComment,
  oldDocument,
  oldFile,
  oldMember,
  oldNote,
  rdxArchive,
} from "../samples/moving-archive.ts";
import { makePng } from "../samples/picture-samples.ts";
import hashes from "../fixtures/moving/old-passwords.json";

const [first] = hashes;
export const PASSWORD = { password: first?.password ?? "", hash: first?.hash ?? "" };

const PICTURE = makePng(40, 30);

export const SITE = {
  members: [
    oldMember("kim_1", {
      password: PASSWORD.hash,
      extra_vars: { mb_1: "서울의대", address: ["06236", "서울", "1층"] },
      groups: ["정회원"],
    }),
    oldMember("lee", { password: "unknown", is_admin: "Y" }),
    oldMember("park", { status: "DENIED", email_address: "" }),
    oldMember("LEE", { email_address: "other@old.example.kr" }),
  ],
  notes: [oldNote(1, "lee", "kim_1"), oldNote(2, "kim_1", "gone", { folder: "Sent" }), oldNote(3, "kim_1", "gone")],
  boards: {
    free_talk: {
      title: "자유게시판",
      documents: [
        oldDocument(1, {
          user_id: "kim_1",
          nick_name: "옛날이",
          is_notice: "Y",
          category: "질문",
          content: `<p onclick="x()">안녕<script>alert(1)</script></p><img src="/data/editor/1601/그림.png" alt="그림"><a href="./board.php?bo_table=free_talk&amp;wr_id=2">둘째 글</a>`,
          comments: [
            oldComment(11, { user_id: "lee", content: "첫 댓글 &lt;b&gt;" }),
            oldComment(12, { parent_id: 11, content: "답글" }),
            oldComment(13, { parent_id: 12, content: "답글의 답글" }),
            oldComment(14, { status: "SECRET", content: "비밀 댓글" }),
            oldComment(15, { parent_id: 999 }),
          ],
          files: [
            oldFile(1, "회의록 2016.hwp", "data/file/free_talk/a.hwp"),
            oldFile(2, "사진.png", "data/file/free_talk/b.png"),
            oldFile(3, "없는 파일.pdf", "data/file/free_talk/none.pdf"),
            oldFile(4, "page.html", "data/file/free_talk/c.html"),
          ],
          links: ["https://example.kr/"],
          extra_vars: { wr_1: "여분 값" },
        }),
        oldDocument(2, {
          status: "SECRET",
          user_id: "kim_1",
          content: "줄이\n나뉜 글 <3",
          comments: [oldComment(21, { status: "SECRET" })],
        }),
        oldDocument(3, {
          user_id: "left",
          nick_name: "떠난이",
          regdate: "20990101000000",
          last_update: null,
          parent_id: 1,
        }),
        oldDocument(4, { content: "번호 800101-1234567 입니다." }),
        "",
        "{broken",
      ],
    },
  },
  files: {
    "data/file/free_talk/a.hwp": new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 1, 2, 3]),
    "data/file/free_talk/b.png": PICTURE,
    "data/file/free_talk/c.html": "<script>alert(1)</script>",
  },
};
export const FOLDER = { "html/data/editor/1601/그림.png": PICTURE, "html/data/session/x": "x" };

export async function moveSite(token: string) {
  const id = await sendArchives(token, [
    { kind: "rdx", bytes: rdxArchive(SITE) },
    { kind: "files", bytes: folderArchive(FOLDER) },
  ]);
  return commitMove(token, id);
}
