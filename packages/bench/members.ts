import { handler } from "../../functions/team/members/list.ts";
import { event } from "../../functions/testing/request.ts";
import { close, connect, db } from "../core/platform/db/engine.ts";
import { migrate } from "../core/platform/db/migrate.ts";
import { open } from "../core/platform/db/pglite.ts";
import { colleague, owner } from "../core/testing/people.ts";
import { interleaved, table } from "./interleaved.ts";

const members = 1000;

/** Compares `GET /team/{id}/members` for 1,000 members with and without avatars to sign. */
export async function membersList(): Promise<string> {
  connect(await open());
  await migrate();
  const team = async (withPictures: boolean) => {
    const ada = await owner("Ada");
    for (let at = 1; at < members; at++) await colleague(ada, "member", `Member ${at}`);
    if (withPictures) {
      const people = await db()
        .selectFrom("team_members")
        .select("user_id")
        .where("team_id", "=", ada.teamId)
        .execute();
      for (const { user_id } of people)
        await db()
          .updateTable("users")
          .set({
            avatar: `objstore:avatars/${user_id}/1769817600000.webp`,
            // With a placeholder, the small object exists and is signed too.
            avatar_placeholder: "1769817600000:3OcRJYB4d3h/iIeHeEh3eIhw+j2w",
          })
          .where("id", "=", user_id)
          .execute();
    }
    return async () => {
      const request = await event("GET /team/{id}/members", { token: ada.token, path: { id: ada.teamId } });
      const before = process.cpuUsage();
      const { statusCode } = await handler(request, { getRemainingTimeInMillis: () => 30_000 } as never);
      if (statusCode !== 200) throw new Error(`GET /team/{id}/members returned ${statusCode}.`);
      // Unlike the time that passes, processor time hardly depends on what else the machine does.
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
  };
  const [signed, unsigned] = [await team(true), await team(false)];
  const rows = await interleaved(
    [
      { name: "nothing to sign", run: unsigned },
      { name: "both sizes of 1,000 avatars signed", run: signed },
    ],
    101,
  );
  await close();
  const [without = 0, with_ = 0] = rows.map(({ medianMs }) => medianMs);
  return `${table("GET /team/{id}/members with 1,000 members, whole handler on PGlite (ms of processor)", rows)}\nSigning adds ${(with_ - without).toFixed(2)} ms.\n`;
}
