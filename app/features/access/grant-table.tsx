import { ownValue } from "#worker/contract/kernel/labels.ts";
import { Table, Td, Th, TableHead } from "#app/ui/table.tsx";
import { BOARD_ACTION_NAMES } from "#worker/contract/kernel/permission-names.ts";
import { BOARD_ACTIONS, type BoardAction } from "#worker/contract/kernel/permissions.ts";

type GrantByBoard = Record<string, BoardAction[]>;
interface GrantTableProps {
  roles: readonly { roleCode: string; roleName: string }[];
  grant: GrantByBoard;
  onChange: (grant: GrantByBoard) => void;
}

export function GrantTable({ roles, grant, onChange }: GrantTableProps) {
  const toggle = (roleCode: string, action: BoardAction, on: boolean) => {
    const held = ownValue(grant, roleCode) ?? [];
    const next = BOARD_ACTIONS.filter((each) => (each === action ? on : held.includes(each)));
    onChange({ ...grant, [roleCode]: next });
  };
  return (
    <Table caption="역할마다 할 수 있는 일" className="md:min-w-[34rem]">
      <TableHead>
        <Th className="max-md:px-1">역할</Th>
        {BOARD_ACTIONS.map((action) => (
          <Th key={action} className="text-center max-md:px-1">
            {BOARD_ACTION_NAMES[action]}
          </Th>
        ))}
      </TableHead>
      <tbody>
        {roles.map((role) => (
          <tr key={role.roleCode}>
            <th scope="row" className="border-b border-gray-20 px-4 py-2 text-left font-semibold max-md:px-1">
              {role.roleName}
            </th>
            {BOARD_ACTIONS.map((action) => (
              <Td key={action} className="py-2 text-center max-md:px-1">
                <input
                  type="checkbox"
                  className="size-5.5 align-middle accent-primary-60"
                  aria-label={`${role.roleName}: ${BOARD_ACTION_NAMES[action]}`}
                  checked={(ownValue(grant, role.roleCode) ?? []).includes(action)}
                  onChange={(event) => toggle(role.roleCode, action, event.target.checked)}
                />
              </Td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
