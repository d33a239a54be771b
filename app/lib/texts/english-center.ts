import type { CenterTexts } from "#app/lib/texts/korean-center.ts";

export const ENGLISH_CENTER_TEXTS: CenterTexts = {
  description: (region) => `The regional centre for ${region}.`,
  metaDescription: (region, facts) => `${region}: ${facts}`,
  picture: (name) => `Photograph of ${name}`,
  name: "Name",
  director: "Director",
  address: "Address",
  directionsLink: "Find on a map",
  phone: "Telephone",
  fax: "Fax",
  url: "Website",
  introduction: "About the centre",
  directions: "Getting there",
  location: (region) => `Where ${region} is on the map of Korea`,
  othersLabel: "Centres in other regions",
  others: "Other regions",
};
