/** A geographic location. Unknown parts are empty or null. */
export type Location = {
  /** ISO 3166-1 alpha-2. */
  country: string;
  city: string;
  /** Degrees. */
  latitude: number | null;
  longitude: number | null;
};

export const unknownLocation: Location = { country: "", city: "", latitude: null, longitude: null };
