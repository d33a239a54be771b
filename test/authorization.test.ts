import { globSync, readFileSync } from "node:fs";
import { resolve, join } from "node:path";
import { parseSync } from "vite";
import { describe, expect, test } from "vitest";
import { decisionReason } from "#worker/contract/access/simulation.ts";

// Checks that every verb decides access in its first statements. One read may come first.

const ROOT = resolve(import.meta.dirname, "..");
const read = (path: string) => readFileSync(resolve(ROOT, path), "utf8");

interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}
interface Verb {
  file: string;
  name: string;
  isExported: boolean;
  parameter: string;
  statements: { node: SyntaxNode; text: string }[];
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === "object" && value !== null && typeof (value as SyntaxNode).type === "string";

function* nodesIn(value: unknown): Generator<SyntaxNode> {
  if (Array.isArray(value)) for (const each of value) yield* nodesIn(each);
  if (!isNode(value)) return;
  yield value;
  for (const [key, child] of Object.entries(value)) if (key !== "type") yield* nodesIn(child);
}

const ARROW = "ArrowFunctionExpression";

function verbsOf(file: string): Verb[] {
  const text = read(file);
  const { program } = parseSync(file, text);
  return (program.body as unknown as SyntaxNode[]).flatMap((statement) => {
    const isExported = statement.type === "ExportNamedDeclaration";
    const declaration = (isExported ? statement.declaration : statement) as SyntaxNode | null;
    const found: [name: string, node: SyntaxNode][] = [];
    if (declaration?.type === "FunctionDeclaration")
      found.push([(declaration.id as { name: string }).name, declaration]);
    if (declaration?.type === "VariableDeclaration")
      for (const each of declaration.declarations as { id: { name?: string }; init: SyntaxNode | null }[])
        if (each.init?.type === ARROW) found.push([each.id.name ?? "", each.init]);
    return found.map(([name, node]) => {
      const [first] = node.params as { name?: string }[];
      const body = node.body as SyntaxNode;
      const list = body.type === "BlockStatement" ? (body.body as SyntaxNode[]) : [body];
      const statements = list.map((each) => ({ node: each, text: text.slice(each.start, each.end) }));
      return { file, name, isExported, parameter: first?.name ?? "", statements };
    });
  });
}

const verbs = globSync("worker/domain/**/*.ts", { cwd: ROOT }).flatMap(verbsOf);
const byName = new Map<string, Verb[]>();
for (const verb of verbs) byName.set(verb.name, [...(byName.get(verb.name) ?? []), verb]);
const callers = globSync(["worker/api/**/*.ts", "worker/*.ts", "app/**/*.{ts,tsx}"], { cwd: ROOT })
  .map(read)
  .join("\n");
const called = verbs.filter(
  ({ file, name, isExported, parameter }) =>
    isExported &&
    !file.endsWith("kernel/authorize.server.ts") &&
    /^(ctx|scope)$/.test(parameter) &&
    new RegExp(`\\b${name}\\(|Call\\(\\s*(\\w+\\.)?${name}\\b|Loader\\(\\w+, ${name}\\b`).test(callers),
);

/** Reads only after its check has allowed the request. */
const ASKS_FIRST = "readFor";
const DECIDES = /^(authorize|can|requireSignedIn|readFor)$/;
const WRITES = /\.(insert|update|delete|put)\(|\b(countLimits|queueMessage|runGuardedBatch|audit)\(/;

const calleesIn = (node: SyntaxNode): string[] =>
  [...nodesIn(node)]
    .filter((each) => each.type === "CallExpression")
    .map(({ callee }) => {
      const { name, property } = callee as { name?: string; property?: { name?: string } };
      return name ?? (property?.name === ASKS_FIRST ? ASKS_FIRST : "");
    })
    .filter(Boolean);

/** The part that always runs; of an `if` only its condition. */
const unconditionalPart = (node: SyntaxNode): SyntaxNode =>
  node.type === "IfStatement" ? (node.test as SyntaxNode) : node;

function decidesFirst(verb: Verb, above: readonly string[] = []): boolean {
  let reads = 0;
  for (const { node, text } of verb.statements) {
    const part = unconditionalPart(node);
    if (calleesIn(part).some((callee) => isDecision(callee, [...above, verb.name]))) return true;
    if (![...nodesIn(node)].some((each) => each.type === "AwaitExpression")) continue;
    reads += 1;
    if (reads > 1 || WRITES.test(text)) return false;
  }
  return false;
}

function isDecision(callee: string, above: readonly string[]): boolean {
  if (DECIDES.test(callee)) return true;
  if (above.includes(callee)) return false;
  return (byName.get(callee) ?? []).some(
    (verb) => /^(ctx|scope|read|actor)/.test(verb.parameter) && decidesFirst(verb, above),
  );
}

const BEFORE_SIGN_IN = "an account call before sign-in: the key, code or token that comes along is what it asks for";
const PUBLIC_READ = "everybody gets the same";
const TOKEN = "the signed token in the address is the permission";
const JOB = "the scheduled job, which nobody calls";

const WITHOUT_QUESTION: Record<string, string> = {
  confirmVerificationCode: BEFORE_SIGN_IN,
  findSigninKey: BEFORE_SIGN_IN,
  getAuthenticationInfo: BEFORE_SIGN_IN,
  getSignupForm: BEFORE_SIGN_IN,
  needsSignupApproval: BEFORE_SIGN_IN,
  refreshSession: BEFORE_SIGN_IN,
  requestPasswordReset: BEFORE_SIGN_IN,
  resetPassword: BEFORE_SIGN_IN,
  sendVerificationCode: BEFORE_SIGN_IN,
  signin: BEFORE_SIGN_IN,
  signout: BEFORE_SIGN_IN,
  getSigninOptions: BEFORE_SIGN_IN,
  signinByPasskey: BEFORE_SIGN_IN,
  requireRecentSecondFactor: "a question beside the permission, which the act itself asks",
  signup: BEFORE_SIGN_IN,
  userKeyExists: BEFORE_SIGN_IN,
  getCenterPage: `${PUBLIC_READ}; a draft alone is asked for with Center.Manage`,
  getSubjectCounts: PUBLIC_READ,
  listApprovedProjects: PUBLIC_READ,
  answerOnce: "gives a sender what they were answered before; the call that it stands before asks",
  homeLastsMs: "how long the page that was read lasts",
  readNextChange: "when a kept page changes by itself, and nothing of what it shows",
  holdArchiveBytes: "counts the bytes of a download that getItemArchive let through",
  countSharedView: "counts what the store of pages for guests has shown",
  getLogoPicture: PUBLIC_READ,
  getAgreementChange: PUBLIC_READ,
  hasOwnDues: "whether the caller has dues; a guest has none",
  alumniSheetName: "a word of the settings, and nothing of anybody",
  checkCertificate: "for anybody: a number tells nothing without the name, nor a name without its number",
  checkSignedCertificate: TOKEN,
  getJoin: TOKEN,
  confirmJoin: TOKEN,
  getUndoKeyChange: TOKEN,
  undoKeyChange: TOKEN,
  getUnsubscribe: TOKEN,
  unsubscribeByToken: TOKEN,
  getConfirmation: TOKEN,
  confirmEntry: TOKEN,
  getGuestRegistration: TOKEN,
  cancelGuestRegistration: TOKEN,
  getQuestion: TOKEN,
  answerQuestion: TOKEN,
  sendEntryCode: TOKEN,
  openEntry: `${TOKEN}, and a code or the sign-in beside it`,
  correctEntry: `${TOKEN}, and a code or the sign-in beside it`,
  recordMailReport: "the provider's signature over the report is the permission",
  receiveUpload: TOKEN,
  fetchThumbnail: "makes a file smaller that getFileToServe has let through",
  listOutbox: "a developer's machine alone has an outbox; its route is not there elsewhere",
  runRecordedJob: JOB,
};

describe("every reachable verb", () => {
  test("is found", () => {
    expect(called.length).toBeGreaterThan(200);
    const names = called.map(({ name }) => name);
    expect(Object.keys(WITHOUT_QUESTION).filter((name) => !names.includes(name))).toEqual([]);
  });

  test.each(called.map((verb) => [`${verb.file} ${verb.name}`, verb] as const))("%s", (_name, verb) => {
    expect([verb.name, decidesFirst(verb)]).toEqual([verb.name, !(verb.name in WITHOUT_QUESTION)]);
  });
});

test("each act on a row type asks first, behind any route", () => {
  const file = "worker/domain/kernel/rows.server.ts";
  const text = read(file);
  const acts = [...nodesIn(parseSync(file, text).program.body)].filter(
    ({ type, accessibility, value }) =>
      type === "PropertyDefinition" && accessibility !== "private" && (value as SyntaxNode | null)?.type === ARROW,
  );
  expect(acts.map(({ key }) => (key as { name: string }).name)).toEqual([
    "list",
    "create",
    "update",
    "remove",
    "order",
  ]);
  const late = acts.filter(({ key, value }) => {
    const body = (value as { body: SyntaxNode }).body.body as SyntaxNode[];
    const statements = body.map((node) => ({ node, text: text.slice(node.start, node.end) }));
    const { name } = key as { name: string };
    return !decidesFirst({ file, name, isExported: false, parameter: "ctx", statements });
  });
  expect(late).toEqual([]);
});

test("a verb that refuses guests reads nothing before the refusal", () => {
  const late = verbs.filter(({ statements }) =>
    statements.some(
      ({ text }, at) =>
        /\bscope\.read\(/.test(text) &&
        /^authorize(Console)?\(ctx(, \{ action: "\w+" \})?\);/.test(statements[at + 1]?.text ?? ""),
    ),
  );
  expect(late.map(({ name }) => name)).toEqual([]);
});

test("every access rule has a reason text", () => {
  const source = readFileSync(join(import.meta.dirname, "../worker/domain/kernel/authorize.server.ts"), "utf8");
  const rules = [...source.matchAll(/\b(?:allow|deny)\(["`]([^"`$]+)/g)].map(([, rule = ""]) => rule.trim());
  expect(rules.length).toBeGreaterThan(20);
  const nameOf = () => "공지사항";
  const isUnexplained = (rule: string) => decisionReason({ allowed: true, rule }, nameOf).reason === rule;
  expect(rules.filter((rule) => rule !== "permission" && isUnexplained(rule))).toEqual([]);
  expect(decisionReason({ allowed: false, rule: "permission Board_notice_Write" }, nameOf)).toEqual({
    reason: "역할에 ‘공지사항’ 쓰기 권한이 없습니다.",
    change: { label: "게시판 ‘공지사항’", href: "/Admin/Boards/notice" },
  });
  expect(decisionReason({ allowed: true, rule: "permission ADMIN_Access" }, nameOf)).toEqual({
    reason: "역할에 관리 화면 권한이 있습니다.",
    change: { label: "역할과 권한", href: "/Admin/Roles" },
  });
  expect(decisionReason({ allowed: false, rule: "secret item of another person" }, nameOf).reason).toContain("비밀글");
});
