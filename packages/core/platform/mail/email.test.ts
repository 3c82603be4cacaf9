import { describe, expect, it } from "vitest";
import { compose } from "./email.ts";

describe("compose", () => {
  it("puts the same content into text and HTML and escapes user input", () => {
    const email = compose({
      to: "a@b.test",
      subject: "Hi",
      paragraphs: ['<script>"Ada" & co</script>'],
      link: { label: "Go", url: "https://a.test/#token=x" },
    });
    expect(email.text).toBe('<script>"Ada" & co</script>\n\nGo: https://a.test/#token=x\n');
    expect(email.html).toContain("&lt;script&gt;&quot;Ada&quot; &amp; co&lt;/script&gt;");
    expect(email.html).not.toContain("<script>");
  });

  it("removes line breaks from the subject", () => {
    expect(compose({ to: "a@b.test", subject: "Hi\r\nBcc: eve@c.test", paragraphs: [] }).subject).toBe(
      "Hi Bcc: eve@c.test",
    );
  });
});
