import { z } from "zod";

export const jobPath = z.object({ name: z.string().regex(/^[a-z-]{1,40}$/) });

export const backupPath = z.object({ name: z.string().regex(/^[\w-]{1,60}$/) });

export const acknowledgeAlarmInput = z.object({ key: z.string().min(1).max(100) });
