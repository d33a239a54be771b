export const KOREAN_CENTER_TEXTS = {
  description: (region: string) => `${region} 지역의 {센터}입니다.`,
  metaDescription: (region: string, facts: string) => `${region}: ${facts}`,
  picture: (name: string) => `${name} 사진`,
  name: "기관명",
  director: "책임자",
  address: "주소",
  directionsLink: "길찾기",
  phone: "전화",
  fax: "팩스",
  url: "홈페이지",
  introduction: "{센터} 소개",
  directions: "오시는 길",
  location: (region: string) => `대한민국 지도에서 ${region}의 위치`,
  othersLabel: "다른 지역 {센터}",
  others: "다른 지역",
};

export type CenterTexts = typeof KOREAN_CENTER_TEXTS;
