import type { Resolved as Picture } from "@svc/core/avatar/resolve";
import { useMemo, useState } from "react";
import { discardUrl, imageUrl, placeholderUrl, stableUrl } from "../base/avatar.ts";
import { colourOf, initials } from "../base/initials.ts";
import { usePicturesReady } from "../base/picture-ready.ts";

/** Avatars up to this size use the picture of 96 pixels, which is sharp on screens of twice the density. */
const largestSmall = 48;

/**
 * A user's picture, or their initials on a colour derived from their id. A blurred placeholder is shown until the picture has
 * loaded, or the former picture if it has changed. The initials are shown when there is no picture and when it fails to load.
 */
export function Avatar({
  id,
  name,
  picture: { avatar, avatarSmall, avatarPlaceholder },
  size = 40,
}: {
  /** The user's id, which determines the colour. */
  id: string;
  name: string;
  /** The fields of an API response. */
  picture: Picture;
  size?: number;
}) {
  const [failed, setFailed] = useState("");
  const [loaded, setLoaded] = useState<string>();
  const placeholder = useMemo(() => placeholderUrl(avatarPlaceholder), [avatarPlaceholder]);
  const found = stableUrl(imageUrl(size <= largestSmall ? avatarSmall : avatar));
  const url = found === failed ? undefined : found;
  const ready = usePicturesReady(url);
  const background =
    url === undefined
      ? `var(--avatar-${colourOf(id)})`
      : loaded === undefined && placeholder
        ? `center / cover url("${placeholder}")`
        : undefined;
  return (
    // Hidden from screen readers, because the name is always beside the picture.
    <span
      className="avatar"
      aria-hidden="true"
      data-size={size}
      style={{ width: size, height: size, fontSize: size * 0.4, background }}
    >
      {url === undefined
        ? initials(name)
        : ready &&
          [...new Set([loaded ?? url, url])].map((src) => (
            <img
              key={src}
              src={src}
              alt=""
              width={size}
              height={size}
              data-hidden={src !== loaded || undefined}
              loading="lazy"
              decoding="async"
              referrerPolicy="no-referrer"
              onLoad={() => setLoaded(src)}
              onError={() => {
                discardUrl(src);
                setFailed(src);
              }}
            />
          ))}
    </span>
  );
}
