import type { Member } from "@svc/client";

/** Collects all members of a list, of which the API returns up to 4,000 at once and larger ones in pages. */
export async function everyMember(members: AsyncIterable<Member>): Promise<{ data: Member[] }> {
  const data: Member[] = [];
  for await (const member of members) data.push(member);
  return { data };
}
