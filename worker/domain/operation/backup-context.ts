import { type AppContext } from "#worker/domain/kernel/context.ts";
import { type BackupState } from "#worker/contract/operation/backup-state.ts";

export type BackupContext = Pick<AppContext, "db" | "files" | "backups" | "now"> & {
  config: Pick<AppContext["config"], "BACKUP_KEY" | "PASSWORD_PEPPER">;
};

export interface PartLines {
  state: BackupState;
  lines: string[];
  rows: number;
  bytes: number;
}
