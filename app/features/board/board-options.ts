export const boardOptions = (boards: readonly { boardCode: string; boardName: string }[]) =>
  boards.map(({ boardCode, boardName }) => ({ value: boardCode, label: boardName }));
