import process from "node:process";

/**
 * Restarts this process with two glibc arenas, since one per thread wastes memory. Import it first; no effect without
 * `process.execve`.
 */
if (!process.env.MALLOC_ARENA_MAX && process.execve && process.platform === "linux") {
  const [, ...args] = process.argv;
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...args], {
    ...process.env,
    MALLOC_ARENA_MAX: "2",
  });
}
