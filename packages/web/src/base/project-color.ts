/** Moves the colors of projects until they can be told from every surface. */

/** The least contrast of graphics (WCAG 1.4.11). */
const least = 3;

/** The lightest and the darkest surface that project colors stand on: --color-background in light, --color-raised in dark mode. */
const surfaces = ["#f6f6f8", "#1f1f26"].map((hex) => luminance(linear(hex)));

const shown = new Map<string, string>();

/**
 * Returns the color in which a project is shown, in both color schemes. It has a contrast of 3:1 against the surfaces of both:
 * its lightness in OKLCH moves as little as that needs. The stored color does not change.
 */
export function projectColor(stored: string): string {
  const known = shown.get(stored);
  if (known !== undefined) return known;
  const color = /^#[\da-f]{6}$/i.test(stored) ? readable(stored) : "var(--project-slate)";
  shown.set(stored, color);
  return color;
}

function readable(hex: string): string {
  const [lightness, a, b] = oklab(linear(hex));
  for (let step = 0; step <= 100; step++)
    for (const moved of [lightness - step / 100, lightness + step / 100]) {
      // The color in #rrggbb is the one that is shown, so its contrast counts.
      const color = step === 0 ? hex : toHex(fromOklab(moved, a, b));
      const own = luminance(linear(color));
      if (surfaces.every((surface) => contrast(own, surface) >= least)) return color;
    }
  return hex;
}

type Three = [number, number, number];

function linear(hex: string): Three {
  return [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as Three;
}

/** Clips what the screen cannot show. */
function toHex(color: Three): string {
  const parts = color.map((part) => {
    const clipped = Math.min(1, Math.max(0, part));
    const encoded = clipped <= 0.0031308 ? clipped * 12.92 : 1.055 * clipped ** (1 / 2.4) - 0.055;
    return Math.round(encoded * 255)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${parts.join("")}`;
}

function luminance([red, green, blue]: Three): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** The matrices are those of the definition of Oklab (https://bottosson.github.io/posts/oklab/). */
function oklab([red, green, blue]: Three): Three {
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromOklab(lightness: number, a: number, b: number): Three {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}
