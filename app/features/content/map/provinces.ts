import provinces from "./provinces.json" with { type: "json" };

/**
 * @svg-maps/south-korea 2.0 by Victor Cazanave (CC BY 4.0), simplified and reduced by svgo. Small provinces come last
 * to be drawn on top.
 */
export const MAP_VIEW = "48 0 476 631";
export const MAP_CREDIT = {
  title: "@svg-maps/south-korea 2.0",
  href: "https://github.com/VictorCazanave/svg-maps",
  license: "CC BY 4.0",
  licenseHref: "https://creativecommons.org/licenses/by/4.0/deed.ko",
};

/** 울릉도 and 독도 (both 경북) are drawn enlarged in a separate frame. */
export const EAST_ISLANDS = {
  frame: { x: 408, y: 84, width: 114, height: 92 },
  labels: [
    { island: "ulleungdo", x: 440, y: 148 },
    { island: "dokdo", x: 496, y: 162 },
  ],
} as const;

export const PROVINCE_SHAPES = provinces;

export type MapProvince = (typeof PROVINCE_SHAPES)[number];
