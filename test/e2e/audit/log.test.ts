import { expect } from "vitest";
import { expectPageAccessible } from "../support/accessible.ts";
import { callFromPage } from "../support/calls.ts";
import {
  expectDone,
  exportWithReason,
  findButton,
  findDialog,
  findRow,
  openFilters,
  openPage,
  SCREEN_WIDTHS,
} from "../support/console.ts";
import { readOutbox } from "../support/account.ts";
import { test } from "../fixtures.ts";
import { sample } from "../../support/sample.ts";

test.for(sample(SCREEN_WIDTHS, String))(
  "at %i px the audit log is exported with a reason",
  { tags: "sampled" },
  async (width, { admin }) => {
    await admin.setViewportSize({ width, height: 844 });
    const name = `기록 ${width}`;
    const code = `log${width}`;
    await callFromPage(admin, "PUT", "/api/admin/board", { boardCode: code, boardName: name });
    const { boards } = (await callFromPage<{ boards: { boardCode: string }[] }>(admin, "GET", "/api/admin/board")).data;
    const {
      itemCount: _count,
      isClosed: _closed,
      ...board
    } = boards.find(({ boardCode }) => boardCode === code) as never as Record<string, unknown>;
    const changed = { ...board, boardName: `${name} 새 이름`, useComment: false, grant: { guest: ["List", "View"] } };
    expect((await callFromPage(admin, "PATCH", `/api/admin/board/${code}`, changed)).code).toBe("SUCCESS");

    await openPage(admin, "/Admin/Audit");
    await openFilters(admin);
    await admin.getByRole("combobox", { name: "행위" }).selectOption("게시판");
    await admin.getByLabel("행위자 이름").fill("관리자");
    await admin.getByLabel("누구의 정보").fill("900101-1234567");
    await admin.keyboard.press("Enter");
    await admin.getByText("주민등록번호로 보이는 값은").waitFor();
    await admin.getByText("총 0건").waitFor();
    await admin.getByLabel("누구의 정보").fill("");
    await findButton(admin, "찾기").click();
    const change = findRow(admin, "게시판 변경").first();
    await change.getByText("자세히").click();
    await change.getByRole("row", { name: `게시판 이름 ${name} ${name} 새 이름` }).waitFor();
    await change.getByRole("row", { name: "댓글 예 아니요" }).waitFor();
    await change.getByRole("row", { name: /^역할별 권한 .*방문자: 목록, 읽기/ }).waitFor();
    await expect.poll(() => findRow(admin, "로그인").count()).toBe(0);
    await expectPageAccessible(admin);

    expect(await exportWithReason(admin, "파일로 내보내기", "정기 점검")).toMatch(/^감사기록_\d{8}\.xlsx$/);
    await expectDone(admin, "파일을 내려받았습니다.");
    await openPage(admin, "/Admin/Audit?action=audit.export");
    await findRow(admin, "사유: 정기 점검").first().waitFor();
  },
);

test.for(sample(SCREEN_WIDTHS, String))(
  "at %i px a request by letter is answered in time",
  { tags: "full" },
  async (width, { site, admin }) => {
    await admin.setViewportSize({ width, height: 844 });
    const [who, answer] = [`김요청${width}`, `주소를 지웠습니다. ${width}`];
    await openPage(admin, "/Admin/Privacy");
    await findButton(admin, "요청 등록").click();
    await findDialog(admin).getByLabel("요청한 내용").fill("제 주소를 지워 주십시오.");
    await findButton(admin, "등록").click();
    await findDialog(admin).getByText("필수 항목입니다.").waitFor();
    await findDialog(admin).getByLabel("종류").selectOption("삭제");
    await findDialog(admin).getByLabel("요청한 사람의 이름").fill(who);
    await findDialog(admin).getByLabel("답변을 받을 이메일").fill("letter@example.kr");
    await expectPageAccessible(admin);
    await findButton(admin, "등록").dblclick();
    await expectDone(admin, "요청을 등록하였습니다.");
    await findRow(admin, who).waitFor();
    await findRow(admin, who).getByRole("link", { name: "삭제" }).click();
    await findButton(admin, "기한 늦추기").click();
    await findDialog(admin).getByLabel("늦출 날수").fill("99");
    await findDialog(admin).getByLabel("사유").fill("센터에 확인하고 있습니다.");
    await findButton(admin, "늦추기").click();
    await findDialog(admin).getByText("30 이하여야 합니다.").waitFor();
    await findDialog(admin).getByLabel("늦출 날수").fill("5");
    await findButton(admin, "늦추기").click();
    await expectDone(admin, "기한을 늦추었습니다.");
    await admin.getByText("늦춘 사유: 센터에 확인하고 있습니다.").waitFor();
    await admin.getByLabel("답변").fill(answer);
    await admin.route("**/answer", (route) => route.abort(), { times: 1 });
    await findButton(admin, "처리 마치고 답변 보내기").click();
    await admin.getByText("사이트에 연결하지 못했습니다.").waitFor();
    await expect.poll(() => admin.getByLabel("답변").inputValue()).toBe(answer);
    await expectPageAccessible(admin);
    await findButton(admin, "처리 마치고 답변 보내기").dblclick();
    await expectDone(admin, "처리를 마치고 답변을 메일로 보냈습니다.");
    const mails = await readOutbox(site);
    expect(mails.filter(({ text }) => text.includes(answer))).toHaveLength(1);
    await admin.getByText("처리 완료").first().waitFor();
  },
);

test.for(sample(SCREEN_WIDTHS, String))(
  "at %i px a job is run by hand",
  { tags: "full" },
  async (width, { db, admin }) => {
    await admin.setViewportSize({ width, height: 844 });
    await db.prepare("INSERT INTO rate_limit (key, count, reset_date) VALUES (?, 1, 1)").bind(`old-${width}`).run();
    await db
      .prepare(
        "CREATE TRIGGER IF NOT EXISTS stop BEFORE DELETE ON rate_limit BEGIN SELECT RAISE(ABORT, 'disk full'); END",
      )
      .run();
    await openPage(admin, "/Admin/Jobs");
    const job = findRow(admin, "기한이 지난 자료 정리");
    await job.getByRole("button", { name: "지금 하기" }).click();
    await expectDone(admin, "기한이 지난 자료 정리 작업이 실패하였습니다.");
    await job.getByText("실패", { exact: true }).waitFor();
    await expect.poll(() => admin.getByText("작업을 마쳤습니다.").count()).toBe(0);
    await expectPageAccessible(admin);
    await db.prepare("DROP TRIGGER stop").run();
    await job.getByRole("button", { name: "지금 하기" }).click();
    await expectDone(admin, "기한이 지난 자료 정리 작업을 마쳤습니다.");
    await job.getByText("정상", { exact: true }).waitFor();
  },
);
