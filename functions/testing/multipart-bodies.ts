/** A multipart request, and the response that it must get. */
export type MultipartCase = {
  name: string;
  contentType: string;
  body: () => Buffer;
  /** "accepted", or the code of the error. */
  expected: "accepted" | keyof typeof statuses;
};

/** The status of each error that a multipart request can get. */
export const statuses = {
  multipart_malformed: 400,
  file_missing: 400,
  too_many_files: 400,
  file_too_large: 413,
  unsupported_media_type: 415,
} as const;

const boundary = "BB";
const open = `--${boundary}\r\n`;
const close = `--${boundary}--\r\n`;

/** Writes headers and content as one part. Buffers and latin1 strings are both bytes. */
const part = (headers: readonly string[], content: Buffer | string, first = open): Buffer =>
  bytes(first, ...headers.map((line) => `${line}\r\n`), "\r\n", content, "\r\n");
const bytes = (...pieces: readonly (Buffer | string)[]): Buffer =>
  Buffer.concat(pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece, "latin1") : piece)));
const times = (count: number, piece: Buffer | string): Buffer => {
  const one = bytes(piece);
  return Buffer.alloc(one.length * count, one);
};
const utf8 = (text: string): string => Buffer.from(text).toString("latin1");

const disposition = (parameters: string) => `Content-Disposition: form-data${parameters}`;
const jpeg = "Content-Type: image/jpeg";
const field = (name: string, value = "v") => part([disposition(`; name="${name}"`)], value);
const fields = (count: number) => times(count, field("note"));
const empty = `${open}\r\n\r\n`;
const large = Buffer.alloc(400_000, "z");

/** The bodies of all cases, each with `image` as its file. */
export function multipartCases(image: Buffer): MultipartCase[] {
  const named = (parameters: string, ...more: string[]) =>
    part([disposition(parameters), ...(more.length > 0 ? more : [jpeg])], image);
  const file = named('; name="avatar"; filename="a.jpg"');
  const emptyInput = part(
    [disposition('; name="other"; filename=""'), "Content-Type: application/octet-stream"],
    "",
  );
  const skipped = (content: Buffer | string) =>
    part(["Content-Disposition: attachment; filename=x"], content);
  const nested = part(
    [disposition('; name="files"'), "Content-Type: multipart/mixed; boundary=inner"],
    "--inner\r\nContent-Disposition: file; filename=b.txt\r\n\r\ntext\r\n--inner--",
  );

  const accepted: Record<string, Buffer> = {
    "a file": bytes(file, close),
    "no line break after the last boundary": bytes(file, close.trim()),
    "text in front of the first boundary": bytes("This is a multipart message.\r\n", file, close),
    "an empty line in front of the first boundary": bytes("\r\n", file, close),
    "text after the last boundary": bytes(file, close, "epilogue\r\n"),
    "a part after the last boundary": bytes(file, close, file, close),
    "text in the line of the last boundary": bytes(file, close.trim(), " the end\r\n"),
    "blanks after the boundaries": bytes(
      part([disposition("; name=a; filename=b")], image, `--${boundary}  \r\n`),
      close,
    ),
    "a tab after the boundaries": bytes(
      part([disposition("; name=a; filename=b")], image, `--${boundary}\t\r\n`),
      close,
    ),
    "blanks after the boundaries and a large text field": bytes(
      part([disposition("; name=t")], large, `--${boundary} \t \r\n`),
      part([disposition("; name=a; filename=b")], image, `--${boundary} \r\n`),
      close.trim(),
      "  \r\n",
    ),
    "59 text fields in front of the file": bytes(fields(59), file, close),
    "59 text fields after the file": bytes(file, fields(59), close),
    "59 large text fields": bytes(
      times(59, part([disposition("; name=t")], large.subarray(0, 70_000))),
      file,
      close,
    ),
    "a text field without content": bytes(field("note", ""), file, close),
    "a text field with the name of the file in front of it": bytes(field("avatar"), file, close),
    "a text field with the name of the file after it": bytes(file, field("avatar"), close),
    "a list field with the name of the file after it": bytes(
      file,
      field("avatar[]"),
      field("avatar[x]"),
      close,
    ),
    "a list field with the name of the file in front of it": bytes(field("avatar[]"), file, close),
    "a text field named __proto__": bytes(field("__proto__"), field("__proto__[x]"), file, close),
    "a file named __proto__": bytes(named('; name="__proto__"; filename="__proto__"'), close),
    "a file named constructor": bytes(named('; name="constructor"; filename="toString"'), close),
    "a file named hasOwnProperty": bytes(named('; name="hasOwnProperty"; filename="hasOwnProperty"'), close),
    "an empty name": bytes(named('; name=""; filename="a.jpg"'), close),
    "a name of 8,000 characters": bytes(named(`; name="${"n".repeat(8000)}"; filename="a.jpg"`), close),
    "a text field whose name has 8,000 characters": bytes(field("n".repeat(8000)), file, close),
    "parameters without quotes": bytes(named("; name=avatar; filename=a.jpg"), close),
    "parameters without blanks": bytes(named(";name=avatar;filename=a.jpg"), close),
    "parameters with many blanks": bytes(named(' ;  name = "avatar" ; filename = "a.jpg" '), close),
    "parameters in upper case": bytes(named('; NAME="avatar"; FILENAME="a.jpg"'), close),
    "parameters in another order": bytes(named('; filename="a.jpg"; name="avatar"'), close),
    "an unknown parameter": bytes(named('; name="avatar"; size=5; filename="a.jpg"'), close),
    "headers in upper case": bytes(
      part(['CONTENT-DISPOSITION: FORM-DATA; name="a"; filename="b"'], image),
      close,
    ),
    "headers in lower case": bytes(
      part(['content-disposition: form-data; name="a"; filename="b"'], image),
      close,
    ),
    "a blank in front of a colon": bytes(
      part(['Content-Disposition : form-data; name="a"; filename="b"'], image),
      close,
    ),
    "no blank after a colon": bytes(
      part(['Content-Disposition:form-data; name="a"; filename="b"'], image),
      close,
    ),
    "a folded header": bytes(named(';\r\n name="avatar";\r\n\tfilename="a.jpg"'), close),
    "100 further headers": bytes(named('; name="a"; filename="b"', ...Array(100).fill("X-More: 1")), close),
    "2,500 headers in front of the disposition": bytes(
      part([...Array(2500).fill("x:1"), disposition('; name="a"; filename="b"')], image),
      close,
    ),
    "headers of 16,000 bytes": bytes(
      named('; name="a"; filename="b"', `X-Long: ${"x".repeat(15_900)}`),
      close,
    ),
    "a repeated disposition": bytes(
      named('; name="a"; filename="b"', "Content-Disposition: attachment"),
      close,
    ),
    "no content type": bytes(part([disposition('; name="a"; filename="b"')], image), close),
    "an empty content type": bytes(named('; name="a"; filename="b"', "Content-Type:"), close),
    "a content type with a charset": bytes(
      named('; name="a"; filename="b"', `${jpeg}; charset=utf-8`),
      close,
    ),
    "a content type with an unknown charset": bytes(
      named('; name="a"; filename="b"', `${jpeg}; charset=none`),
      close,
    ),
    "a content type with half a parameter": bytes(
      named('; name="a"; filename="b"', `${jpeg}; charset`),
      close,
    ),
    "a transfer encoding": bytes(
      named('; name="a"; filename="b"', "Content-Transfer-Encoding: binary"),
      close,
    ),
    "a content length": bytes(named('; name="a"; filename="b"', `Content-Length: ${image.length}`), close),
    "a wrong content length": bytes(named('; name="a"; filename="b"', "Content-Length: 1"), close),
    "a path as the file name": bytes(named('; name="a"; filename="../../etc/passwd"'), close),
    "a Windows path as the file name": bytes(named('; name="a"; filename="C:\\dir\\a.jpg"'), close),
    "a file name that ends with a backslash": bytes(named('; name="a"; filename="a\\"'), close),
    "a dot as the file name": bytes(named('; name="a"; filename="a/.."'), close),
    "a file name in UTF-8": bytes(named(utf8('; name="a"; filename="Grüße 📷.jpg"')), close),
    "a file name that is not UTF-8": bytes(named('; name="a"; filename="\xff\xfe.jpg"'), close),
    "an encoded file name": bytes(named("; name=\"a\"; filename*=utf-8''n%C3%A4me.jpg"), close),
    "a file name in both forms": bytes(
      named('; name="a"; filename="a.jpg"; filename*=utf-8\'\'%E2%82%AC.jpg'),
      close,
    ),
    "an encoded file name in an unknown charset": bytes(
      named("; name=\"a\"; filename*=none''%ff.jpg"),
      close,
    ),
    "an encoded file name without a charset": bytes(named('; name="a"; filename*=%C3%A4'), close),
    "a percent-encoded line break in a quoted file name": bytes(
      named('; name="a"; filename="a%0Ab.jpg"'),
      close,
    ),
    "escaped quotes in the file name": bytes(named('; name="a"; filename="my \\"best\\" one.jpg"'), close),
    "percent-encoded quotes in the file name": bytes(
      named('; name="a"; filename="my %22best%22 one.jpg"'),
      close,
    ),
    "special characters in the file name": bytes(
      named(
        '; name="upload"; filename=": \\\\ ? % * | %22 < > . ? ; \' @ # $ ^ & ( ) - _ = + { } [ ] ` ~.jpg"',
      ),
      close,
    ),
    "a quote that is not closed": bytes(named('; name="a"; filename="b'), close),
    "a file without a name of type octet-stream": bytes(
      named('; name="a"', "Content-Type: application/octet-stream"),
      close,
    ),
    "a part without headers in front of the file": bytes(part([], "text"), file, close),
    "a large part without headers in front of the file": bytes(part([], large), file, close),
    "a large part without headers after the file": bytes(file, part([], large), close),
    "a large part without a disposition": bytes(part(["X-Other: 1"], large), file, close),
    "an attachment in front of the file": bytes(skipped("text"), file, close),
    "a large attachment in front of the file": bytes(skipped(large), file, close),
    "a large attachment after the file": bytes(file, skipped(large), close),
    "a part of another disposition": bytes(part(["Content-Disposition: inline"], large), file, close),
    "a part of an empty disposition": bytes(part(["Content-Disposition:"], large), file, close),
    "an empty part in front of the file": bytes(empty, file, close),
    "59 empty parts in front of the file": bytes(times(59, empty), file, close),
    "59 empty parts after the file": bytes(file, times(59, empty), close),
    "a part that is only a boundary": bytes(open, file, close),
    "headers without an empty line": bytes(open, `${disposition("; name=t")}\r\n`, file, close),
    "an empty file input besides the file": bytes(emptyInput, file, emptyInput, close),
    "a nested multipart part": bytes(nested, file, close),
  };

  const withBoundary = (text: string, written = `"${text}"`): [string, string, Buffer] => [
    `the boundary ${text.slice(0, 20)}`,
    `multipart/form-data; boundary=${written}`,
    bytes(
      part([disposition('; name="avatar"; filename="a.jpg"'), jpeg], image, `--${text}\r\n`),
      `--${text}--\r\n`,
    ),
  ];
  const type = `multipart/form-data; boundary=${boundary}`;
  const acceptedTypes: [name: string, contentType: string, body: Buffer][] = [
    withBoundary("x"),
    withBoundary("x".repeat(70)),
    withBoundary("-".repeat(70)),
    withBoundary("'()+_,-./:=?"),
    withBoundary("two words"),
    withBoundary("1*&$!~%41"),
    withBoundary("----WebKitFormBoundaryTB2MiQ36fnSJlrhY", "----WebKitFormBoundaryTB2MiQ36fnSJlrhY"),
    withBoundary("---------------------------106895882", "---------------------------106895882"),
    withBoundary("------------------------d74496d66958873e", "------------------------d74496d66958873e"),
    withBoundary("4fa2c1f0b7a94d2c8a3a0d9e5b1c7f60", "4fa2c1f0b7a94d2c8a3a0d9e5b1c7f60"),
    ["a quoted boundary", `multipart/form-data; boundary="${boundary}"`, bytes(file, close)],
    ["a content type in upper case", `MULTIPART/FORM-DATA; BOUNDARY=${boundary}`, bytes(file, close)],
    ["no blank in front of the boundary", `multipart/form-data;boundary=${boundary}`, bytes(file, close)],
    [
      "a parameter in front of the boundary",
      `multipart/form-data; charset=utf-8; boundary=${boundary}`,
      bytes(file, close),
    ],
    ["a parameter after the boundary", `${type}; charset=utf-8`, bytes(file, close)],
  ];

  const rejected: Record<Exclude<MultipartCase["expected"], "accepted">, Record<string, () => Buffer>> = {
    multipart_malformed: {
      "61 empty parts without an end": () => times(61, empty),
      "61 empty parts": () => bytes(times(61, empty), close),
      "100 empty parts without an end": () => times(100, empty),
      "1,000 empty parts without an end": () => times(1000, empty),
      "1,000 empty parts": () => bytes(times(1000, empty), close),
      "390,000 empty parts without an end": () => times(390_000, empty),
      "390,000 empty parts": () => bytes(times(390_000, empty), close),
      "70 text fields and a cut part": () => bytes(fields(70), file.subarray(0, -10)),
      "70 text fields and a file": () => bytes(fields(70), file, close),
      "60 text fields and a file": () => bytes(fields(60), file, close),
      "60 parts without an end": () => fields(60),
      "a file without an end": () => file,
      "a cut header": () => bytes(open, "Content-Disposition: form-da"),
      "a cut empty line": () => file.subarray(0, file.indexOf("\r\n\r\n") + 2),
      "a cut file": () => file.subarray(0, -image.length / 2),
      "a cut last boundary": () => bytes(file, close.slice(0, -5)),
      "a last boundary without its hyphens": () => bytes(file, open),
      "a last boundary with one hyphen": () => bytes(file, `--${boundary}-\r\n`),
      "the last boundary of another body": () => bytes(file, "--other--\r\n"),
      "another boundary": () =>
        bytes(part([disposition("; name=a; filename=b")], image, "--other\r\n"), "--other--\r\n"),
      "no body": () => Buffer.alloc(0),
      "only text": () => Buffer.from("avatar=1"),
      "only zeros": () => Buffer.alloc(4_600_000),
      "only line breaks": () => times(2_300_000, "\r\n"),
      "only beginnings of the boundary": () => times(800_000, `\r\n--${boundary.slice(0, -1)}`),
      "a boundary inside a line": () => bytes("text ", file, "text ", close.trim()),
      "line feeds without carriage returns": () =>
        Buffer.from(bytes(file, close).toString("latin1").replaceAll("\r\n", "\n"), "latin1"),
      "one header of 17,000 bytes": () =>
        bytes(named('; name="a"; filename="b"', `X: ${"x".repeat(17_000)}`), close),
      "4,500 headers": () => bytes(named('; name="a"; filename="b"', ...Array(4500).fill("x:1")), close),
      "4 MB of blanks after a boundary": () =>
        bytes(`--${boundary}`, " ".repeat(4_000_000), file.subarray(open.length - 2), close),
      "a header without an end": () => bytes(open, "X: ", Buffer.alloc(4_000_000, "x"), "\r\n", close),
      "a header without a colon": () => bytes(named('; name="a"; filename="b"', "garbage"), close),
      "a header without a name": () => bytes(part([': form-data; name="a"; filename="b"'], image), close),
      "a header with a blank in its name": () => bytes(named('; name="a"; filename="b"', "X Y: 1"), close),
      "a header with NUL in its name": () => bytes(named('; name="a"; filename="b"', "X\0: 1"), close),
      "a first header that begins with a blank": () =>
        bytes(part([" folded: 1", disposition("; name=a; filename=b")], image), close),
      "a carriage return in a header": () => bytes(named('; name="a"; filename="b\rc"'), close),
      "a line feed in a header": () => bytes(named('; name="a"; filename="b\nc"'), close),
      "a colon in front of 16,000 blanks and a line feed": () =>
        bytes(named('; name="a"; filename="b"', `X:${" ".repeat(16_000)}\n`), close),
      "text after a boundary": () =>
        bytes(part([disposition("; name=a; filename=b")], image, `--${boundary}x\r\n`), close),
      "a line of a file that begins with the boundary": () =>
        bytes(part([disposition("; name=a; filename=b")], `\r\n--${boundary}x`), close),
      "a file without a name": () => bytes(named("; filename=a.jpg"), close),
      "a text field without a name": () => bytes(part([disposition("")], "v"), file, close),
      "a disposition with only a semicolon": () => bytes(named(";"), close),
      "an encoded line break in the file name": () =>
        bytes(part([disposition("; name=a; filename*=utf-8''a%0Ab")], large), close),
      "an encoded carriage return in the name": () =>
        bytes(part([disposition("; name*=utf-8''a%0db; filename=b")], large), close),
    },
    file_missing: {
      "only the last boundary": () => Buffer.from(close),
      "an empty form": () => Buffer.from(open + close),
      "an empty part": () => bytes(empty, close),
      "60 empty parts": () => bytes(times(60, empty), close),
      "60 text fields": () => bytes(fields(60), close),
      "a text field": () => bytes(field("avatar"), close),
      "an empty file input": () => bytes(emptyInput, close),
      "an attachment": () => bytes(skipped("text"), close),
      "a large attachment": () => bytes(skipped(large), close),
      "a large part without headers": () => bytes(part([], large), close),
      "a nested multipart part": () => bytes(nested, close),
      "a text field that names a file in its name": () =>
        bytes(part([disposition('; name="a; filename=b"')], image), close),
    },
    too_many_files: {
      "two files": () => bytes(file, named('; name="b"; filename="b.jpg"'), close),
      "two files with one name": () => bytes(file, file, close),
      "60 large files": () =>
        bytes(times(60, part([disposition("; name=a; filename=b")], large.subarray(0, 70_000))), close),
      "60 files whose headers have 16,000 bytes": () =>
        bytes(times(60, part([disposition(`; name=a; filename=b;${"a\\".repeat(7900)}`)], "v")), close),
    },
    file_too_large: {
      "a file of more than 4.5 MB": () =>
        bytes(part([disposition("; name=a; filename=b")], Buffer.alloc(4_500_001)), close),
    },
    unsupported_media_type: {},
  };

  const rejectedTypes: [contentType: string, expected: MultipartCase["expected"]][] = [
    ["multipart/form-data", "multipart_malformed"],
    ["multipart/form-data; boundary=", "multipart_malformed"],
    ['multipart/form-data; boundary=""', "multipart_malformed"],
    [`multipart/form-data; boundary="${"x".repeat(71)}"`, "multipart_malformed"],
    ['multipart/form-data; boundary="x "', "multipart_malformed"],
    ["multipart/form-data; boundary=\xfc", "multipart_malformed"],
    [`multipart/form-data; boundary="${boundary}`, "multipart_malformed"],
    [`multipart/mixed; boundary=${boundary}`, "unsupported_media_type"],
    [`multipart/form-data-x; boundary=${boundary}`, "unsupported_media_type"],
    ["application/x-www-form-urlencoded", "unsupported_media_type"],
    ["application/octet-stream", "unsupported_media_type"],
  ];

  return [
    ...Object.entries(accepted).map(
      ([name, body]): MultipartCase => ({
        name,
        contentType: type,
        body: () => body,
        expected: "accepted",
      }),
    ),
    ...acceptedTypes.map(
      ([name, contentType, body]): MultipartCase => ({
        name,
        contentType,
        body: () => body,
        expected: "accepted",
      }),
    ),
    ...Object.entries(rejected).flatMap(([expected, bodies]) =>
      Object.entries(bodies).map(
        ([name, body]): MultipartCase => ({
          name,
          contentType: type,
          body,
          expected: expected as MultipartCase["expected"],
        }),
      ),
    ),
    ...rejectedTypes.map(
      ([contentType, expected]): MultipartCase => ({
        name: `the content type ${contentType.slice(0, 60)}`,
        contentType,
        body: () => bytes(file, close),
        expected,
      }),
    ),
  ];
}
