export const messages = {
  roles: { owner: "Owner", admin: "Admin", manager: "Manager", member: "Member" },
  suspended: "Suspended",
};

/** Sentences about the time zones of the user and the workspace. */
export const zoneMessages = {
  ownTimes: (own: string, workspace: string) =>
    `Times in ${own}. Reports use the workspace’s time zone, ${workspace}.`,
  workspaceTimes: (own: string) => `Your own pages use ${own}.`,
};
