import createClient from "openapi-fetch";
import type { paths } from "./generated/openapi-typescript.ts";

/** Signs in, reads the user, lists time entries and uploads a picture. Returns what each call returned. */
export async function fourCalls(baseUrl: string, email: string, password: string, picture: Blob) {
  const api = createClient<paths>({ baseUrl });

  const login = await api.POST("/auth/login", { body: { email, password } });
  if (!login.data || "mfaRequired" in login.data)
    throw new Error(login.error?.code ?? "A second factor is set up.");
  const { token } = login.data;
  api.use({ onRequest: ({ request }) => request.headers.set("authorization", `Bearer ${token}`) });

  const me = await api.GET("/auth/me");
  const list = await api.GET("/api/v1/time-entries", {
    params: { query: { page: 1, per_page: 2, billable: true } },
  });
  const upload = await api.POST("/api/upload/avatar", {
    body: { avatar: picture },
    bodySerializer: ({ avatar }) => {
      const form = new FormData();
      if (avatar instanceof Blob) form.set("avatar", avatar);
      return form;
    },
  });
  if (!me.data || !list.data || !upload.data) throw new Error("A call failed.");
  const hours: number = list.data.data.reduce((sum, entry) => sum + entry.durationSeconds, 0) / 3600;
  return { email: me.data.email, entries: list.data.data.length, hours, avatar: upload.data.signedUrl };
}
