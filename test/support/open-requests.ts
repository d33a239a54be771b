let open = 0;

export async function countOpen<T>(request: () => Promise<T>): Promise<T> {
  open += 1;
  try {
    return await request();
  } finally {
    open -= 1;
  }
}

// Before a test fakes the timers.
const later = setTimeout;

/**
 * Lets other open requests get as far: workerd runs a timer only when it is idle, so that each request would otherwise
 * end before the next one reads the database.
 */
export async function waitForOthers(): Promise<void> {
  if (open > 1) await new Promise((resolve) => later(resolve, 0));
}
