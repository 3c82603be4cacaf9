export const messages = {
  roles: { owner: "Owner", admin: "Admin", manager: "Manager", member: "Member" },
  suspended: "Suspended",
};
