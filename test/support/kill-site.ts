import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connectDatabase } from "#db/client.ts";
import { user, userKey } from "#db/schema/account.ts";
import { hashPassword } from "#worker/adapters/password.server.ts";
import type { RunningSite } from "#worker/local/site.ts";

export const OFFICE = { userKeyType: "Id", userKeyCode: "office", password: "Secret!234" } as const;

export const databaseOf = async (site: RunningSite) => (await site.mf.getBindings<{ DB: D1Database }>()).DB;

/** Kills the workerd children of this process, like a failing machine. */
export function killWorkerd(): void {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" }).trim().split("\n");
  const victims = lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, name]) => Number(parent) === process.pid && name?.includes("workerd"))
    .map(([pid]) => Number(pid));
  if (victims.length === 0) throw new Error("no workerd to kill");
  for (const pid of victims) process.kill(pid, "SIGKILL");
}

export async function createOfficeAdministrator(site: RunningSite, folder: string): Promise<void> {
  const db = connectDatabase(await databaseOf(site));
  const { PASSWORD_PEPPER } = JSON.parse(readFileSync(join(folder, "secrets.json"), "utf8"));
  const now = new Date();
  const id = crypto.randomUUID();
  const passwordHash = hashPassword(OFFICE.password, PASSWORD_PEPPER);
  const person = {
    id,
    userName: "관리자",
    userType: "Admin" as const,
    roleCode: "administrator",
    status: "active" as const,
  };
  await db.batch([
    db.insert(user).values({ ...person, passwordHash, profile: {}, createdDate: now, modifiedDate: now }),
    db.insert(userKey).values({ userKeyType: "Id", userKeyCode: OFFICE.userKeyCode, userId: id }),
  ]);
}
