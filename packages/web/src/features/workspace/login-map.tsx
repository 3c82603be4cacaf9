import type { LoginMap as LoginCollection } from "@svc/core/identity/sign-in/login-map";
import { useQuery } from "@tanstack/react-query";
import { get } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { country, dayTime, number } from "../../base/format.ts";
import { Empty, Loaded } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { coasts } from "./coastlines.ts";

type Feature = LoginCollection["features"][number];

/** From where the members of the workspace sign in: as a map, and the same as a table. */
export function LoginMap() {
  const { workspace } = useCurrentUser();
  const query = useQuery({
    queryKey: ["login-map", workspace.id],
    queryFn: ({ signal }) => get<LoginCollection>("/api/v1/security/login-map", { signal }),
  });
  return (
    <section aria-labelledby="login-map">
      <h2 id="login-map">Where people sign in</h2>
      <p>Successful sign-ins of everybody in this workspace within the last 90 days.</p>
      <Loaded
        query={query}
        isEmpty={({ features }) => features.length === 0}
        empty={<Empty title="Nobody has signed in within the last 90 days" />}
      >
        {({ features }) => (
          <>
            <WorldMap features={features} />
            <Table
              caption="Sign-ins by place"
              rows={features}
              rowKey={({ properties: { country: code, city }, geometry }) =>
                `${code} ${city} ${geometry?.coordinates}`
              }
              columns={[
                { heading: "Location", cell: placeName },
                { heading: "Sign-ins", numeric: true, cell: ({ properties }) => number(properties.count) },
                {
                  heading: "Suspicious",
                  numeric: true,
                  cell: ({ properties }) => number(properties.suspiciousCount),
                },
                {
                  heading: "Last",
                  cell: ({ properties }) => (
                    <time dateTime={properties.lastAt}>{dayTime(properties.lastAt)}</time>
                  ),
                },
              ]}
            />
          </>
        )}
      </Loaded>
    </section>
  );
}

function placeName({ properties: { country: code, city } }: Feature): string {
  return [city, code && country(code)].filter(Boolean).join(", ") || "Unknown place";
}

/** Plate carrée: a degree is a unit both ways, so that a point is its coordinates. North is up, hence the minus. */
const outline = coasts
  .map((coast) => {
    const points = coast.split(" ").map((point) => {
      const [longitude, latitude] = point.split(",").map(Number);
      return `${longitude} ${-(latitude ?? 0)}`;
    });
    return `M${points.join("L")}Z`;
  })
  .join("");

const graticule = [
  ...[-150, -120, -90, -60, -30, 0, 30, 60, 90, 120, 150].map((longitude) => `M${longitude} -84V58`),
  ...[60, 30, 0, -30].map((latitude) => `M-180 ${-latitude}H180`),
].join("");

function WorldMap({ features }: { features: readonly Feature[] }) {
  const placed = features.flatMap(({ geometry, properties }) =>
    geometry ? [{ at: geometry.coordinates, ...properties }] : [],
  );
  const most = Math.max(1, ...placed.map(({ count }) => count));
  return (
    <svg
      className="world"
      viewBox="-180 -84 360 142"
      role="img"
      aria-label="Map of these places; the table below says the same"
    >
      <path className="world-lines" d={graticule} />
      <path className="world-land" d={outline} />
      {placed.map(({ at: [longitude, latitude], label, count, suspiciousCount }) => (
        <circle
          key={`${longitude} ${latitude} ${label}`}
          className="world-place"
          data-suspicious={suspiciousCount > 0 || undefined}
          cx={longitude}
          cy={-latitude}
          // The area says how many.
          r={1.5 + 5 * Math.sqrt(count / most)}
        >
          <title>{`${label}: ${count}`}</title>
        </circle>
      ))}
    </svg>
  );
}
