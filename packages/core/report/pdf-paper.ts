export const margin = 36;
export const size = { title: 16, text: 9, row: 7 };
export const ink = "#111827";
export const pale = "#d1d5db";

export type Paper = PDFKit.PDFDocument;
export type Box = { x: number; y: number; width: number; height: number };

/** Writes one line of text, truncated to the width of its box. */
export function writeText(
  paper: Paper,
  text: string,
  { x, y, width }: Box,
  points: number,
  alignRight = false,
): void {
  if (text === "") return;
  paper.fontSize(points).fillColor(ink);
  const fitting = truncate(paper, text, width, points);
  const start = alignRight ? x + width - paper.widthOfString(fitting) : x;
  paper.text(fitting, start, y, { lineBreak: false });
}

function truncate(paper: Paper, text: string, width: number, points: number): string {
  // No letter is wider than the font size, so short texts need no measuring.
  if (text.length * points <= width || paper.widthOfString(text) <= width) return text;
  const letters = [...text];
  let [fits, tooMany] = [0, letters.length];
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (paper.widthOfString(`${letters.slice(0, middle).join("")}…`) <= width) fits = middle;
    else tooMany = middle;
  }
  return `${letters.slice(0, fits).join("")}…`;
}

/** Draws the current path as a thin pale line. */
export function strokePale(paper: Paper): void {
  paper.lineWidth(0.5).strokeColor(pale).stroke();
}
