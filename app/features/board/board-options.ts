/** Boards to choose from, by their names. */
export const boardOptions = (boards: readonly { boardCode: string; boardName: string }[]) =>
  boards.map(({ boardCode, boardName }) => ({ value: boardCode, label: boardName }));
