export interface AdminRole {
  roleCode: string;
  roleName: string;
  permissions: string[];
  isBuiltIn: boolean;
  isGuest: boolean;
  userCount: number;
  version: number;
}

interface PermissionGroup {
  label: string;
  codes: { code: string; label: string }[];
}

export interface RolesPage {
  roles: AdminRole[];
  groups: PermissionGroup[];
}

export interface AccessSimulation {
  who: string;
  roleName: string;
  what: string;
  allowed: boolean;
  rule: string;
  reason: string;
  change: { label: string; href: string } | null;
}
