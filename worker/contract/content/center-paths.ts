/** The page of all centres, and that of one. */
export const centersPath = (productCode: string) => `/${productCode}/center`;

export const centerPath = (productCode: string, regionCode: string) => `${centersPath(productCode)}/${regionCode}`;

/** Where people live, by region. */
export const residencePath = (productCode: string) => `/${productCode}/residence`;
