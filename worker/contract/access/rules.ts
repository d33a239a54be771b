export const ROLE_NAME_MAX = 30;
