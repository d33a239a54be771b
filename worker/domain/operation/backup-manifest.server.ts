import { requirePresent } from "#worker/domain/kernel/require-present.ts";
import { backupRun } from "#db/schema/operation.ts";
import type { DumpedTable, DumpPart, FileListState } from "#worker/contract/operation/operation.ts";
import {
  type BackupCipher,
  createBackupCipher,
  secretFingerprint,
  sha256Hex,
} from "#worker/adapters/backup-cipher.server.ts";
import type { AppContext } from "#worker/domain/kernel/context.ts";
import { type StepBudget, WorkStep } from "../kernel/stepped-work.server.ts";

export const DUMP_PREFIX = "dump/";
export const manifestKey = (name: string) => `${DUMP_PREFIX}${name}/manifest`;
export const partPlace = (index: number) => `part ${index}`;
const MANIFEST_PLACE = "manifest";
const FORMAT = 2;

/** Written last: a backup without a manifest is unfinished. */
interface BackupManifest {
  id: string;
  name: string;
  createdDate: string;
  appVersion: string;
  migrations: string[];
  schema: string[];
  fingerprint: string;
  /** Fingerprint of the pepper that the password hashes need. */
  pepper: string;
  sequences: Record<string, number>;
  tables: DumpedTable[];
  parts: DumpPart[];
  files: FileListState;
}

interface ManifestHead {
  hoewonBackup: number;
  id: string;
  /** Identifies the required key; not used for security. */
  key: string;
}

export class BackupError extends Error {}

const keyFingerprint = (secret: string) => secretFingerprint(secret, "backup key");
export const pepperFingerprint = (pepper: string) => secretFingerprint(pepper, "pepper");

export async function sealManifest(secret: string, manifest: BackupManifest): Promise<Uint8Array<ArrayBuffer>> {
  const head: ManifestHead = { hoewonBackup: FORMAT, id: manifest.id, key: await keyFingerprint(secret) };
  const cipher = await createBackupCipher(secret, manifest.id);
  const sealed = await cipher.seal(MANIFEST_PLACE, new TextEncoder().encode(JSON.stringify(manifest)));
  const line = new TextEncoder().encode(`${JSON.stringify(head)}\n`);
  const whole = new Uint8Array(line.byteLength + sealed.byteLength);
  whole.set(line);
  whole.set(sealed, line.byteLength);
  return whole;
}

export type BackupReader = (key: string) => Promise<Uint8Array | null>;

export const bucketReader =
  (bucket: R2Bucket): BackupReader =>
  async (key) => {
    const object = await bucket.get(key);
    return object && new Uint8Array(await object.arrayBuffer());
  };

export interface OpenedBackup {
  manifest: BackupManifest;
  cipher: BackupCipher;
  read: BackupReader;
}

/** @throws BackupError with the reason not to trust the backup */
export async function openBackup(read: BackupReader, name: string, secret: string): Promise<OpenedBackup> {
  const bytes = await read(manifestKey(name));
  if (!bytes) throw new BackupError(`${name}: 목록(manifest)이 없습니다. 끝까지 만들지 못했거나 지워진 백업입니다.`);
  const lineEnd = bytes.indexOf(10);
  let head: ManifestHead;
  try {
    head = JSON.parse(new TextDecoder().decode(bytes.subarray(0, lineEnd))) as ManifestHead;
  } catch {
    throw new BackupError(`${name}: 백업의 목록(manifest)이 아닙니다.`);
  }
  if (head.hoewonBackup !== FORMAT || typeof head.id !== "string")
    throw new BackupError(`${name}: 이 프로그램이 모르는 형식의 백업입니다.`);
  if (head.key !== (await keyFingerprint(secret)))
    throw new BackupError(`${name}: 다른 BACKUP_KEY로 만든 백업입니다. 이 백업을 만들 때의 열쇠를 넣어 주십시오.`);
  const cipher = await createBackupCipher(secret, head.id);
  const opened = await cipher.open(MANIFEST_PLACE, bytes.subarray(lineEnd + 1)).catch(() => {
    throw new BackupError(`${name}: 목록(manifest)이 손상되었거나 누가 바꾸었습니다.`);
  });
  const manifest = JSON.parse(new TextDecoder().decode(opened)) as BackupManifest;
  if (manifest.name !== name) throw new BackupError(`${name}: 다른 백업(${manifest.name})의 목록(manifest)입니다.`);
  return { manifest, cipher, read };
}

export async function readBackupPart({ manifest, cipher, read }: OpenedBackup, index: number): Promise<string[]> {
  const part = requirePresent(manifest.parts[index]);
  const bytes = await read(part.key);
  if (!bytes) throw new BackupError(`백업의 ${index + 1}번째 조각이 없습니다: ${part.key}`);
  if (bytes.byteLength !== part.bytes)
    throw new BackupError(
      `백업의 ${index + 1}번째 조각이 잘렸거나 늘어났습니다: ${part.key} (${part.bytes}바이트여야 하는데 ${bytes.byteLength}바이트)`,
    );
  if ((await sha256Hex(bytes)) !== part.sha256)
    throw new BackupError(`백업의 ${index + 1}번째 조각이 손상되었거나 누가 바꾸었습니다: ${part.key}`);
  const opened = await cipher.open(partPlace(index), bytes).catch(() => {
    throw new BackupError(`백업의 ${index + 1}번째 조각을 풀 수 없습니다: ${part.key}`);
  });
  const lines = new TextDecoder().decode(opened).split("\n");
  lines.pop();
  return lines;
}

/** Reads the stored manifest and the sizes of the parts that it names. @throws BackupError for what is not there */
export async function proveBackup(bucket: R2Bucket, name: string, secret: string): Promise<void> {
  const { manifest } = await openBackup(bucketReader(bucket), name, secret);
  const stored = await listStored(bucket, `${DUMP_PREFIX}${name}/`);
  const lost = manifest.parts.find(({ key, bytes }) => stored.get(key) !== bytes);
  if (lost) throw new BackupError(`${name}: 백업의 조각이 저장되지 않았습니다: ${lost.key}`);
}

/** Sizes by key. */
export async function listStored(bucket: R2Bucket, prefix: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  let cursor: string | undefined;
  do {
    const page = await bucket.list({ prefix, ...(cursor && { cursor }) });
    for (const { key, size } of page.objects) found.set(key, size);
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor);
  return found;
}

export type BackupContext = Pick<AppContext, "db" | "files" | "backups" | "now"> & {
  config: Pick<AppContext["config"], "BACKUP_KEY" | "PASSWORD_PEPPER">;
};

export class BackupStep extends WorkStep<typeof backupRun.$inferSelect, BackupContext> {
  /** Copies of files that this step may still make. */
  readonly copies: { objects: number; bytes: number };

  constructor(ctx: BackupContext, row: typeof backupRun.$inferSelect, budget: StepBudget) {
    super(ctx, backupRun, row, budget);
    this.copies = { objects: 300, bytes: budget.bytes / 2 };
  }

  get secret(): string {
    return backupSecret(this.ctx);
  }

  override isSpent(): boolean {
    return super.isSpent() || this.copies.objects <= 0 || this.copies.bytes <= 0;
  }
}

export function backupSecret({ config }: BackupContext): string {
  if (config.BACKUP_KEY) return config.BACKUP_KEY;
  throw new Error("BACKUP_KEY가 없어 백업하지 못합니다(worker/OPERATIONS.md).");
}
