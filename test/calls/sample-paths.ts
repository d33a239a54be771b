export const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";
const SAMPLES: Record<string, string> = {
  boardCode: "notice",
  itemNo: "1",
  revision: "1",
  ticket: "none.none",
  code: "about",
  regionCode: "seoul",
  versionNo: "1",
  name: "search",
  rule: "drafts",
  auditId: "1",
  partNo: "1",
  picture: "light",
};

export const samplePlace = (name: string): string => SAMPLES[name] ?? UNKNOWN_ID;

export const samplePath = (route: string): string => route.replace(/:(\w+)/g, (_, name: string) => samplePlace(name));

/** Input that a call requires in its query. */
export const REQUIRED_QUERIES: Record<string, string> = {
  "GET /api/admin/role/simulate": "?who=guest&path=/Admin",
  "GET /api/admin/setting/right": "?who=guest",
};

export const CONSOLE_SAMPLE_ID = "00000000-0000-4000-8000-00000000000c";

export function consoleAddress(path: string, memberId: string | null): string {
  const samples: Record<string, string | null> = {
    "members/:id": memberId,
    ":id": CONSOLE_SAMPLE_ID,
    ":auditId": "1",
    ":boardCode": "notice",
    ":rule": "drafts",
    ":kind": "newItem",
    "agreements/:code": "terms",
    ":code": "about",
    ":regionCode": "seoul",
  };
  return `/Admin/${path.replace(/:\w+/g, (name) => samples[path] ?? samples[name] ?? "1")}`.replace(/\/$/, "");
}

/** Gives the lists and desks of the console a row. */
export const SAMPLE_ROWS = [
  `INSERT INTO role (role_code, role_name, permissions) VALUES ('cohort-7', '7기 대표', '["Alumni_Cohort_7"]')`,
  "INSERT INTO role_grant (id, user_id, role_code, start_date, created_date) SELECT 'rg', id, 'cohort-7', 1, 1 FROM user WHERE user_type = 'Member' LIMIT 1",
  "INSERT INTO item_report (id, item_id, reporter_user_id, reason, text, created_date) SELECT 'r1', (SELECT id FROM board_item WHERE deleted_date IS NULL LIMIT 1), id, 'abuse', '', 1 FROM user LIMIT 1",
  "INSERT INTO message (id, channel, recipient, subject, body, status, created_date) VALUES ('m1', 'email', 'a@example.com', '가입을 환영합니다', '', 'sent', 1)",
  `INSERT INTO inquiry VALUES ('${CONSOLE_SAMPLE_ID}', (SELECT id FROM user LIMIT 1), 'etc', '증명서를 받고 싶습니다', 'waiting', 1, 1, 1)`,
  `INSERT INTO mailing (id, source, target, kind, subject, status, question, created_user_id, created_date, modified_date) VALUES ('${CONSOLE_SAMPLE_ID}', 'member', '{"filter":{}}', 'informational', '총회 안내', 'draft', '{"text":"오십니까?","answers":["참석","불참"]}', (SELECT id FROM user LIMIT 1), 1, 1)`,
  `INSERT INTO confirmation_round (id, target, status, reminder_days, created_user_id, created_date, modified_date) VALUES ('${CONSOLE_SAMPLE_ID}', '{"filter":{}}', 'draft', 14, (SELECT id FROM user LIMIT 1), 1, 1)`,
  `INSERT INTO privacy_request (id, kind, status, requester_name, content, received_date, due_date, modified_date) VALUES ('${CONSOLE_SAMPLE_ID}', 'access', 'received', '김동문', '알려 주십시오.', 1, 1, 1)`,
  "INSERT OR IGNORE INTO event (item_id, open_date, close_date, role_codes, questions, created_date, modified_date) SELECT id, 1, 2, '[]', '[]', 1, 1 FROM board_item WHERE board_code = 'notice' AND item_no = 1",
  "INSERT OR IGNORE INTO event_registration (id, item_id, user_id, status, turn, answers, created_date, modified_date) SELECT 'er1', (SELECT item_id FROM event LIMIT 1), id, 'confirmed', 1, '{}', 1, 1 FROM user LIMIT 1",
  `INSERT INTO proposal_call (id, title, kind, open_date, approve_from, second_from, check_days, review_days, created_date, modified_date)
    VALUES ('${CONSOLE_SAMPLE_ID}', '수시 제안', 'anytime', 1, 70, 60, 5, 10, 1, 1)`,
  `INSERT INTO proposal (id, call_id, user_id, number, title, status, submitted_date, created_date, modified_date)
    SELECT '${CONSOLE_SAMPLE_ID}', '${CONSOLE_SAMPLE_ID}', id, '2000-001', '치료 뒤의 경과', 'submitted', 1, 1, 1
    FROM user WHERE user_type = 'Member' LIMIT 1`,
  "INSERT INTO due_kind (id, name, amount, grade_field, grades) VALUES ('k1', '연회비', 50000, '', '[]')",
  "INSERT INTO due (id, alumni_id, kind_id, period, amount, work_id, created_date, modified_date) SELECT 'd1', id, 'k1', '2026', 50000, '', 1, 1 FROM alumni LIMIT 1",
  "INSERT INTO deposit (id, source, paid_date, payer, amount, hash, work_id, created_date) VALUES ('p1', 'bank', 1, '강다석', 50000, 'h1', '', 1)",
  "INSERT INTO alumni_certificate (id, number, user_id, created_user_id, created_date, expires_date) SELECT 'c1', '2026-1', id, id, 1, 2 FROM user LIMIT 1",
  "INSERT INTO audit_log (created_date, address, action, target_type, target_id, request_id) VALUES (1, '', 'board.change', 'board', 'notice', '')",
  "INSERT INTO destruction (created_date, kind, rule, basis, count) VALUES (1, '주소록 정보', 'alumni-bin', '휴지통에서 바로 삭제', 1)",
];
