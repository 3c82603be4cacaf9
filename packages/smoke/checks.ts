import type { Check } from "./check.ts";
import { account } from "./checks/account.ts";
import { edge } from "./checks/edge.ts";
import { factors } from "./checks/factors.ts";
import { files } from "./checks/files.ts";
import { tracking } from "./checks/tracking.ts";
import { webhooks } from "./checks/webhooks.ts";
import { workspace } from "./checks/workspace.ts";

/** Every check, in the order in which they run. */
export const checks: readonly Check[] = [
  ...edge,
  ...files,
  ...tracking,
  ...workspace,
  ...webhooks,
  ...account,
  ...factors,
];
