import { Fault } from "./fault.ts";

/** 422 for one value that a schema cannot judge, naming its place. `code` is the value's own, and with `named` the answer's too. */
export function invalid(
  place: { pointer: string } | { parameter: string },
  code: string,
  detail: string,
  named: "named" | "unnamed" = "unnamed",
): Fault {
  return new Fault(
    "invalid",
    named === "named" ? code : "invalid_input",
    named === "named" ? detail : "Some values cannot be taken. See errors.",
    { errors: [{ ...place, code, detail }] },
  );
}
