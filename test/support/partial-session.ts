import { env } from "cloudflare:workers";
import { createSessionWith } from "./people.ts";

export const DAY_MS = 24 * 60 * 60 * 1000;

export const createPartialSession = async (...more: string[]) =>
  createSessionWith(["ADMIN_Access", ...more], { userName: "부분 관리자" });

export const rowsAsText = async (statement: string, ...values: unknown[]) =>
  JSON.stringify(
    (
      await env.DB.prepare(statement)
        .bind(...values)
        .all()
    ).results,
  );
