import { useState } from "react";
import { discardUrl, hue, imageUrl, initials, stableUrl } from "../base/avatar.ts";

/**
 * A user's picture, or their initials on a colour derived from their id. The initials are shown when `src` is not an http(s)
 * URL and when the image fails to load.
 */
export function Avatar({
  id,
  name,
  src,
  size = 40,
}: {
  /** The user's id, which determines the colour. */
  id: string;
  name: string;
  /** The `avatar` field of an API response. */
  src: string;
  size?: number;
}) {
  const [failed, setFailed] = useState("");
  const url = stableUrl(imageUrl(src));
  return (
    // Hidden from screen readers, because the name is always beside the picture.
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
