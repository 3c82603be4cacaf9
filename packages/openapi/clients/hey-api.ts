import { client } from "./generated/hey-api/client.gen.ts";
import { getMe, listTimeEntries, login, uploadAvatar } from "./generated/hey-api/index.ts";

/** Signs in, reads the user, lists time entries and uploads a picture. Returns what each call returned. */
export async function fourCalls(baseUrl: string, email: string, password: string, picture: Blob) {
  client.setConfig({ baseUrl, throwOnError: true });

  const signedIn = await login({ body: { email, password }, throwOnError: true });
  if ("mfaRequired" in signedIn.data) throw new Error("A second factor is set up.");
  const { token } = signedIn.data;
  client.setConfig({ auth: () => token });

  const me = await getMe({ throwOnError: true });
  const list = await listTimeEntries({ query: { page: 1, per_page: 2, billable: true }, throwOnError: true });
  const upload = await uploadAvatar({ body: { avatar: picture }, throwOnError: true });
  const hours: number = list.data.data.reduce((sum, entry) => sum + entry.durationSeconds, 0) / 3600;
  return { email: me.data.email, entries: list.data.data.length, hours, avatar: upload.data.signedUrl };
}

/** Does not compile with text, because a picture is a Blob. */
export function uploadText() {
  // @ts-expect-error
  return uploadAvatar({ body: { avatar: "text" } });
}
