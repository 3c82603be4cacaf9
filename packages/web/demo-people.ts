import type { Resolved as Picture } from "@svc/core/avatar/resolve";
import type { Role } from "@svc/core/workspace/authorization";

/** The answer of the local server at `/demo-people.json`: people to sign in as with one click. Empty without demo data. */
export type DemoPeople = {
  password: string;
  people: { id: string; email: string; name: string; role: Role; picture: Picture }[];
};
