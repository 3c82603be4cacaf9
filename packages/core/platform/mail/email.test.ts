import { expect, test } from "vitest";
import { compose } from "./email.ts";

test("text and HTML say the same, and what people typed is escaped", () => {
  const letter = compose({
    to: "a@b.test",
    subject: "Hi",
    paragraphs: ['<script>"Ada" & co</script>'],
    link: { label: "Go", url: "https://a.test/#token=x" },
  });
  expect(letter.text).toBe('<script>"Ada" & co</script>\n\nGo: https://a.test/#token=x\n');
  expect(letter.html).toContain("&lt;script&gt;&quot;Ada&quot; &amp; co&lt;/script&gt;");
  expect(letter.html).not.toContain("<script>");
});

test("no line break gets into the subject", () => {
  expect(compose({ to: "a@b.test", subject: "Hi\r\nBcc: eve@c.test", paragraphs: [] }).subject).toBe(
    "Hi Bcc: eve@c.test",
  );
});
