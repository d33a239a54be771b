import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { readSpreadsheet } from "#worker/adapters/spreadsheet/read.server.ts";
import { downloadFile, importAlumniFile } from "../samples/alumni-files.ts";
import { type ApiAnswer, callJson, fetchApi } from "../support/api-client.ts";
import { announceUpload, fetchFile, PNG_BYTES, putFile, uploadBoardFile } from "../samples/board-files.ts";
import { advanceClock, createSignupSettings, createTestItem } from "../support/factories.ts";
import {
  createAdministratorSession,
  createMemberSession,
  signInUser,
  createSessionWith,
  TEST_PASSWORD,
} from "../support/people.ts";
import { runScheduledJobs } from "../support/scheduled-jobs.ts";
import { addPasskey } from "../calls/second-factor-acts.ts";
import { ATTACKER_ADDRESS, readPasswordHash, type Replay } from "./replay.ts";
import { concatBytes } from "#worker/adapters/picture-metadata/bytes.server.ts";

async function dump(): Promise<string> {
  const tables = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE '%search%'",
  ).all<{ name: string }>();
  const rows = await env.DB.batch(tables.results.map(({ name }) => env.DB.prepare(`SELECT * FROM "${name}"`)));
  const { objects } = await env.FILES.list();
  const files = await Promise.all(objects.map(async ({ key }) => (await env.FILES.get(key))?.text()));
  return JSON.stringify([rows.map(({ results }) => results), files]);
}

const RESIDENT_NUMBERS = [
  "900101-1234567",
  "9001011234567",
  "900101 - 1234567",
  "９００１０１-１２３４５６７",
  "900101–1234567",
];

export const residentNumbers: Replay = {
  name: "resident numbers in free fields",
  happened:
    "People typed resident registration numbers into titles, memos, answers and file names; years later a leak of a board leaked them.",
  stopped:
    "Every text field of a call refuses such numbers, in any digits, dashes and markup, before anything is stored; an import refuses the row.",
  async play({ refuse, holds }) {
    await createSignupSettings();
    const person = await createMemberSession();
    const admin = await createAdministratorSession();
    const itemNo = await createTestItem(person, "free");
    const item = (title: string, content: string) => ({ title, content, fileIds: [] });
    const calls: [act: string, method: string, path: string, token: string, body: (text: string) => object][] = [
      ["the title of a post", "PUT", "/api/board-item/free", person.accessToken, (text) => item(text, "<p>글</p>")],
      ["its text", "PUT", "/api/board-item/free", person.accessToken, (text) => item("제목", `<p>${text}</p>`)],
      ["its draft", "PUT", "/api/board-item-draft/free", person.accessToken, (text) => item(text, "")],
      ["a comment", "PUT", `/api/board-item-comment/free/${itemNo}`, person.accessToken, (content) => ({ content })],
      [
        "the member's profile",
        "PATCH",
        `/api/user/${person.user.id}`,
        person.accessToken,
        (text) => ({ profile: { affiliation: text }, version: 1 }),
      ],
      [
        "a privacy request",
        "POST",
        "/api/user/privacy-request",
        person.accessToken,
        (content) => ({ kind: "access", content }),
      ],
      ["the memo of the address book", "PUT", "/api/alumni", admin.accessToken, (memo) => ({ name: "김동문", memo })],
      [
        "the reason of an export",
        "POST",
        "/api/alumni/export-data",
        admin.accessToken,
        (reason) => ({ filter: {}, format: "csv", reason }),
      ],
      [
        "the reason of a block",
        "POST",
        "/api/admin/member/block",
        admin.accessToken,
        (reason) => ({ ids: [person.user.id], reason }),
      ],
    ];
    for (const [act, method, path, token, body] of calls) {
      const answers = [];
      for (const number of RESIDENT_NUMBERS)
        answers.push(await callJson(method, path, { token, body: body(`메모 ${number}`) }));
      expect([act, answers.map(({ code }) => code)]).toEqual([act, RESIDENT_NUMBERS.map(() => "INVALID_INPUT")]);
      const [answer] = answers;
      if (answer) refuse(`${act}, in ${RESIDENT_NUMBERS.length} ways of writing`, answer, "INVALID_INPUT");
    }
    const split = { token: person.accessToken, body: item("제목", "<p>9001<b>01</b>-<i>123</i>4567</p>") };
    refuse("the number split by markup", await callJson("PUT", "/api/board-item/free", split), "INVALID_INPUT");
    refuse(
      "the name of a file",
      await announceUpload(person, { fileName: "900101-1234567.pdf", size: 10 }),
      "INVALID_INPUT",
    );
    const rows = RESIDENT_NUMBERS.map((number, at) => `김동문${at},${number}\n`).join("");
    const imported = await importAlumniFile(admin, "명부.csv", `이름,메모\n${rows}`, { skipInvalid: true });
    holds(
      "a file with such rows",
      "each row is refused by its number",
      [imported.data.inserted, imported.data.rejected],
      [0, RESIDENT_NUMBERS.length],
    );
    const refusedRows = await readSpreadsheet("오류행.xlsx", await downloadFile(admin, imported.data.errorFileUrl));
    const memos = [...refusedRows.rows].map(({ cells }) => cells[1] ?? "").slice(1);
    holds(
      "the file of refused rows",
      "it has stars in their place, and is refused again as it is",
      memos,
      RESIDENT_NUMBERS.map(() => "900101-1******"),
    );
    expect(
      (
        await callJson("PUT", "/api/board-item/free", {
          token: person.accessToken,
          body: item("전화 02-123-4567890", "<p>글</p>"),
        })
      ).code,
    ).toBe("SUCCESS");
    advanceClock(24 * 3_600_000 + 1000);
    await runScheduledJobs(env);
    const stored = await dump();
    for (const number of RESIDENT_NUMBERS) expect(stored).not.toContain(number);
  },
};

const SHELL = "<?php system($_GET['c']); ?>";
const bytesOf = (text: string) => new TextEncoder().encode(text);
const joined = (...parts: Uint8Array[]) => concatBytes(parts);

export const oldBoardScript: Replay = {
  name: "an old board script",
  happened:
    "A board of twenty years ago accepted a script under a picture's name, ran it from its upload folder, and put parts of the address into its SQL: the member table with its passwords was read in an afternoon.",
  stopped:
    "A file's bytes decide its type, and executable types are refused. R2 stores it under a random key and runs nothing; it is served with its own type, `nosniff` and a sandbox. Values reach the database as bound parameters, sorts and columns only from a list.",
  async play({ refuse, holds }) {
    const person = await createMemberSession();
    const admin = await createAdministratorSession();
    const sent = async (fileName: string, bytes: Uint8Array<ArrayBuffer>): Promise<ApiAnswer> => {
      const announced = await announceUpload(person, { fileName, size: bytes.byteLength });
      return announced.code === "SUCCESS" ? putFile(announced.data.uploadUrl, bytes) : announced;
    };
    const notTaken = ["INVALID_INPUT", "UNSUPPORTED_FILE"];
    for (const fileName of [
      "shell.php",
      "shell.png.php",
      "shell.php.",
      ".htaccess",
      "shell.phtml",
      "page.html",
      "a.svg",
      "a.jsp",
      "a.asp;.png",
    ])
      refuse(`the script as \`${fileName}\``, await sent(fileName, bytesOf(SHELL)), ...notTaken);
    for (const fileName of ["photo.png", "photo.jpg", "photo.gif", "report.pdf", "shell.php.png", "list.xlsx"])
      refuse(
        `the script under the picture's or document's name \`${fileName}\``,
        await sent(fileName, bytesOf(SHELL)),
        ...notTaken,
      );
    const form = new FormData();
    form.set("file", new File([SHELL], "photo.png", { type: "image/png" }));
    refuse(
      "the script as a picture of the editor",
      await callJson("PUT", "/api/board-item/images", { token: person.accessToken, body: form }),
      ...notTaken,
    );
    const polyglot = new FormData();
    polyglot.set("file", new File([joined(PNG_BYTES, bytesOf(SHELL))], "photo.png", { type: "image/png" }));
    const taken = await callJson("PUT", "/api/board-item/images", { token: person.accessToken, body: polyglot });
    expect(taken.code).toBe("SUCCESS");
    const picture = await fetchFile(taken.data.fileId, person);
    holds(
      "a real picture with the script behind it",
      "only the picture is kept",
      [picture.headers.get("Content-Type"), new TextDecoder().decode(await picture.bytes()).includes("<?php")],
      ["image/png", false],
    );
    const fileId = await uploadBoardFile(person, "note.txt", bytesOf(SHELL));
    const served = await fetchFile(fileId, person);
    holds(
      "the script as a text, opened in the browser",
      "plain text, in a sandbox",
      [
        await served.text(),
        ...["Content-Type", "Content-Security-Policy", "X-Content-Type-Options"].map((name) =>
          served.headers.get(name),
        ),
      ],
      [SHELL, "text/plain; charset=utf-8", "sandbox; default-src 'none'", "nosniff"],
    );
    for (const path of ["/api/file/..%2f..%2fetc%2fpasswd", `/api/file/${fileId}.php`, "/api/file/upload/shell.php"])
      refuse(
        `\`GET ${path.replace(fileId, ":id")}\``,
        await callJson("GET", path, { token: person.accessToken }),
        "NOT_FOUND",
        "METHOD_NOT_ALLOWED",
      );

    const hash = await readPasswordHash(person.user);
    for (const value of [
      "' OR '1'='1",
      "1 UNION SELECT password_hash FROM user--",
      "'; DROP TABLE user;--",
      "%27%20OR%201%3D1--",
      "\\'; DELETE FROM user;--",
    ]) {
      const text = encodeURIComponent(value);
      const asked = [
        `/api/board-item?boardCode=${text}`,
        `/api/board-item?boardCode=free&sort=${text}`,
        `/api/board-item?boardCode=free&keyword=${text}`,
        `/api/board-item?boardCode=free&category=${text}`,
        `/api/board-item/free/${text}`,
        `/api/board/${text}`,
        `/api/user/${text}`,
        `/api/alumni?keyword=${text}&sort=${text}`,
        `/api/admin/member?keyword=${text}`,
        `/api/admin/audit?action=${text}&subject=${text}`,
      ];
      for (const path of asked) {
        const response = await fetchApi("GET", path, { token: admin.accessToken });
        const body = await response.text();
        expect([path, response.status < 500, body.includes(hash ?? "?"), /SQLITE|D1_|syntax error/.test(body)]).toEqual(
          [path, true, false, false],
        );
      }
      for (const body of [
        { userKeyType: "Id", userKeyCode: value, password: value },
        { userKeyType: value, userKeyCode: "admin", password: TEST_PASSWORD },
      ]) {
        const answer = await callJson("POST", "/api/user/signin", { body, address: ATTACKER_ADDRESS });
        expect([value, answer.code]).not.toEqual([value, "SUCCESS"]);
        expect(answer.status).toBeLessThan(500);
      }
    }
    const people = await env.DB.prepare("SELECT count(*) AS n FROM user").first<number>("n");
    holds(
      "SQL in every parameter of ten reads and of the sign-in",
      "no row added or changed, no hash and no SQL in an answer",
      [people, await readPasswordHash(person.user)],
      [2, hash],
    );
  },
};

export const lostExport: Replay = {
  name: "an exported list lost",
  happened:
    "An exported list of members stayed in the site's download folder under a public link; no one knew its people, its maker or its reason.",
  stopped:
    "An export needs its own permission, a reason and a second factor of the last five minutes. Only its maker can open the file, for one day. The log records maker, reason and people; ten exports a day are allowed. A member's hourly reads are too few for a list.",
  async play({ refuse, holds }) {
    const vars = { ...env, SECOND_FACTOR: "required" as const };
    const officer = await createSessionWith(["Alumni_Read", "Alumni_Export"], { userName: "담당자" });
    const office = await createAdministratorSession();
    for (const name of ["김동문", '=HYPERLINK("//evil.example")'])
      await callJson("PUT", "/api/alumni", {
        token: office.accessToken,
        body: { name: "김동문", memo: name, email: `a${name.length}@pid.example.kr` },
      });
    const body = { filter: {}, format: "csv", count: 2, reason: "총회 안내문 발송" };
    const ask = (token: string | undefined, fields: object = {}, settings?: object) =>
      callJson("POST", "/api/alumni/export-data", { token, body: { ...body, ...fields }, vars: settings });
    const member = await createMemberSession();
    refuse("an export by a member", await ask(member.accessToken), "FORBIDDEN");
    refuse("one without a reason", await ask(officer.accessToken, { reason: "" }), "INVALID_INPUT");
    refuse("one by an officer without a second factor", await ask(officer.accessToken, {}, vars), "FORBIDDEN");
    await addPasskey(officer);
    const made = await ask(officer.accessToken, {}, vars);
    expect(made.code).toBe("SUCCESS");
    const { url, fileId } = made.data as { url: string; fileId: string };
    const csv = await (await fetchApi("GET", url, { token: officer.accessToken })).text();
    expect(csv).toContain("김동문");
    holds("a formula in a cell of the file", "stored as text", /(?:^|,|")=HYPER/m.test(csv), false);
    advanceClock(5 * 60_000 + 1000);
    refuse(
      "a second one six minutes later, from a computer left open",
      await ask(officer.accessToken, {}, vars),
      "FORBIDDEN",
    );
    refuse("the link without a session", await callJson("GET", url), "UNAUTHORIZED");
    const other = await createSessionWith(["Alumni_Read", "Alumni_Export"]);
    for (const [act, token] of [
      ["another officer", other.accessToken],
      ["a member", member.accessToken],
      ["an administrator", office.accessToken],
    ] as const) {
      refuse(`the link opened by ${act}`, await callJson("GET", url, { token }), "NOT_FOUND", "FORBIDDEN");
      refuse(`the file by its id, by ${act}`, await callJson("GET", `/api/file/${fileId}`, { token }), "NOT_FOUND");
    }
    const log = await env.DB.prepare(
      "SELECT actor_user_id, subject_count, reason FROM audit_log WHERE action = 'alumni.export'",
    ).all();
    holds("who made it, why and of how many", "one row of the log", log.results, [
      { actor_user_id: officer.user.id, subject_count: 2, reason: "총회 안내문 발송" },
    ]);
    const found = await callJson("GET", `/api/admin/audit?subject=${encodeURIComponent("김동문")}`, {
      token: office.accessToken,
    });
    holds(
      "who was in it",
      "the log finds the export by the name",
      found.data.content.some(({ action }: { action: string }) => action === "alumni.export"),
      true,
    );
    advanceClock(24 * 3_600_000 + 1000);
    const late = await signInUser(officer.user);
    refuse("the link a day later", await callJson("GET", url, { token: late.accessToken }), "NOT_FOUND", "FORBIDDEN");
  },
};
