export const centersPath = (productCode: string) => `/${productCode}/center`;

export const centerPath = (productCode: string, regionCode: string) => `${centersPath(productCode)}/${regionCode}`;

export const residencePath = (productCode: string) => `/${productCode}/residence`;
