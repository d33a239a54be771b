export const roleOptions = (roles: readonly { roleCode: string; roleName: string }[]) =>
  roles.map(({ roleCode, roleName }) => ({ value: roleCode, label: roleName }));
