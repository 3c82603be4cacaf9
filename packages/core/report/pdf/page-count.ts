import { contentOf, contentWidth, lineOf, type Paper, page, style, widthOf, write } from "./paper.ts";

/** Writes the number of each page while the number of all pages is unknown. */
export type PageCount = { write(number: number, y: number): void; end(count: number): void };

/**
 * Each page refers to one form with the number of all pages, which is written at the end. This way, no page has to be kept in
 * memory until then.
 */
export function openPageCount(paper: Paper): PageCount {
  const { pdf } = paper;
  const room = widthOf(paper, "000", style.number);
  const height = 20;
  const form = pdf.ref({
    Type: "XObject",
    Subtype: "Form",
    BBox: [0, 0, 2 * room, height],
    Resources: {},
  });
  return {
    write(number, y) {
      const x = page.margin + contentWidth - room;
      const text = `Page ${number} of `;
      write(paper, text, { x: x - 120, y, width: 120, align: "right" }, style.number);
      const { xobjects } = pdf.page as unknown as { xobjects: Record<string, PDFKit.PDFKitReference> };
      xobjects.PageCount = form;
      paper.pending.push(`q 1 0 0 1 ${x} ${y - height / 2} cm /PageCount Do Q`);
    },
    end(count) {
      const line = lineOf(paper, String(count), style.number);
      const fonts = Object.fromEntries(
        line.runs.map(({ face: { embedded } }) => [embedded.id, embedded.ref()]),
      );
      (form.data as Record<string, unknown>).Resources = { Font: fonts };
      form.end(Buffer.from(contentOf(paper, line, 0, height / 2 + style.number.size * 0.364, style.number)));
    },
  };
}
