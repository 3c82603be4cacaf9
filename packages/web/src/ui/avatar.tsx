import { useState } from "react";
import { discardUrl, hue, imageUrl, initials, stableUrl } from "../base/avatar.ts";

/**
 * A person's picture, or their initials in a colour that is always theirs. Only a signed http(s) URL ever becomes an image
 * address; with anything else, and when the image fails to load, the initials stay.
 */
export function Avatar({
  id,
  name,
  src,
  size = 40,
}: {
  /** The person's id: it decides the colour. */
  id: string;
  name: string;
  /** `avatar` of an answer of the API. */
  src: string;
  size?: number;
}) {
  const [failed, setFailed] = useState("");
  const url = stableUrl(imageUrl(src));
  return (
    // The name stands beside the picture wherever it is shown.
    <span
      className="avatar"
      aria-hidden="true"
      data-size={size}
      style={{ width: size, height: size, fontSize: size * 0.4, "--hue": hue(id) } as never}
    >
      {url && url !== failed ? (
        <img
          src={url}
          alt=""
          width={size}
          height={size}
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onError={() => {
            discardUrl(url);
            setFailed(url);
          }}
        />
      ) : (
        initials(name)
      )}
    </span>
  );
}
