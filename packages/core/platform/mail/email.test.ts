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

  const shown = (name: string) => {
    const { subject, text } = compose({ to: "a@b.test", subject: name, paragraphs: [name] });
    expect(text).toBe(`${subject}\n`);
    return subject;
  };

  it.each(["\r\n", "\n", "\u0085", "\u2028", "\u2029"])(
    "replaces the line break %j in the subject and in paragraphs by a space",
    (lineBreak) => {
      expect(shown(`Hi${lineBreak}Bcc: eve`)).toBe("Hi Bcc: eve");
    },
  );

  it.each([
    ["https://evil.example/login", "https[:]//evil[.]example/login"],
    ["HTTP://10.0.0.1/", "HTTP[:]//10.0.0.1/"],
    ["Win at www.evil.co.uk now", "Win at www[.]evil[.]co[.]uk now"],
    ["WWW.x", "WWW[.]x"],
    ["evil.рф", "evil[.]рф"],
    ["evil。com", "evil[.]com"],
    ["evil\u200b.com", "evil\u200b[.]com"],
    ["eve@evil.example", "eve@evil[.]example"],
    ["\u202emoc.live", "moc[.]live"],
  ])("makes %s in a name impossible to click", (name, expected) => {
    expect(shown(name)).toBe(expected);
  });

  it.each(["Dr. Ada King", "J.R.R. Tolkien", "Team 2.0", "A/B testing", "Zoë 👩‍💻 O’Neil-Łukasz", "10:30"])(
    "leaves the name %s unchanged",
    (name) => {
      expect(shown(name)).toBe(name);
    },
  );
});
