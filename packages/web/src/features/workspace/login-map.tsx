import type { LoginMap as LoginCollection } from "@svc/client";
import { useQuery } from "@tanstack/react-query";
import { svc } from "../../base/api.ts";
import { useCurrentUser } from "../../base/current-user.ts";
import { country, dayTime, number } from "../../base/format.ts";
import { Empty, Loaded } from "../../ui/states.tsx";
import { Status } from "../../ui/status.tsx";
import { Table } from "../../ui/table.tsx";
import { coastlines } from "./coastlines.ts";
import "./login-map.css";
import { messages } from "./messages.ts";

type Feature = LoginCollection["features"][number];

/** Shows where members signed in, as a map and as a table. */
export function LoginMap() {
  const { workspace } = useCurrentUser();
  const query = useQuery({
    queryKey: ["login-map", workspace.id],
    queryFn: ({ signal }) => svc.get("/api/v1/security/login-map", { signal }),
  });
  return (
    <section aria-labelledby="login-map">
      <h2 id="login-map">{messages.security.locations.title}</h2>
      <p>{messages.security.locations.lead}</p>
      <Loaded
        query={query}
        isEmpty={({ features }) => features.length === 0}
        empty={<Empty title={messages.security.locations.none} />}
      >
        {({ features }) => (
          <>
            <WorldMap features={features} />
            <Table
              stacked
              caption={messages.security.locations.caption}
              rows={features}
              rowKey={({ properties: { country: code, city }, geometry }) =>
                `${code} ${city} ${geometry?.coordinates}`
              }
              columns={[
                { heading: messages.security.locations.location, cell: locationName },
                {
                  heading: messages.security.locations.count,
                  numeric: true,
                  phone: "end",
                  cell: ({ properties }) => number(properties.count),
                },
                {
                  heading: messages.security.locations.suspicious,
                  numeric: true,
                  cell: ({ properties: { suspiciousCount } }) =>
                    suspiciousCount > 0 ? <Status look="bad">{number(suspiciousCount)}</Status> : number(0),
                  phone: "hidden",
                },
                {
                  heading: messages.security.locations.last,
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

function locationName({ properties: { country: code, city } }: Feature): string {
  if (!code) return city || messages.security.locations.unknown;
  return city ? messages.security.locations.cityAndCountry(city, country(code)) : country(code);
}

/** SVG path in the plate carrée projection: one unit per degree. Latitude is negated, because SVG's y axis points down. */
const land = coastlines
  .map((coastline) => {
    const points = coastline.split(" ").map((point) => {
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
  const located = features.flatMap(({ geometry, properties }) =>
    geometry ? [{ at: geometry.coordinates, ...properties }] : [],
  );
  const most = Math.max(1, ...located.map(({ count }) => count));
  return (
    <svg className="world" viewBox="-180 -84 360 142" role="img" aria-label={messages.security.locations.map}>
      <path className="world-lines" d={graticule} />
      <path className="world-land" d={land} />
      {located.map(({ at: [longitude, latitude], label, count, suspiciousCount }) => (
        <circle
          key={`${longitude} ${latitude} ${label}`}
          className="world-location"
          data-suspicious={suspiciousCount > 0 || undefined}
          cx={longitude}
          cy={-latitude}
          // The area is proportional to the number of sign-ins.
          r={1.5 + 5 * Math.sqrt(count / most)}
        >
          <title>{messages.security.locations.countAt(label, number(count))}</title>
        </circle>
      ))}
    </svg>
  );
}
