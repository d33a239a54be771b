import process from "node:process";

/**
 * Starts this process anew with two of the allocator's arenas (glibc): with one for each thread, what many threads let go is
 * kept many times over. Import it before anything that needs memory. Does nothing where a process cannot be replaced.
 */
if (!process.env.MALLOC_ARENA_MAX && process.execve && process.platform === "linux") {
  const [, ...args] = process.argv;
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...args], {
    ...process.env,
    MALLOC_ARENA_MAX: "2",
  });
}
