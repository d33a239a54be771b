import type { BatchItem } from "drizzle-orm/batch";
import { type Db } from "../client.ts";

export const HOUR_MS = 3_600_000;

export interface DemoAuthor {
  id: string;
  userName: string;
}

export type InsertStatement = BatchItem<"sqlite">;

export interface DemoWriteContext {
  db: Db;
  files: R2Bucket;
  now: Date;
  admin: DemoAuthor;
  members: DemoAuthor[];
}
