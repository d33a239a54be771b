export const KOREAN_CENTER_TEXTS = {
  description: (region: string) => `${region} {센터}의 연락처와 오시는 길입니다.`,
  metaDescription: (region: string, facts: string) => `${region}: ${facts}`,
  picture: (name: string) => `${name} 사진`,
  name: "기관명",
  director: "책임자",
  address: "주소",
  call: "전화 걸기",
  directionsLink: "길찾기",
  phone: "전화",
  fax: "팩스",
  url: "홈페이지",
  introduction: "{센터} 소개",
  directions: "오시는 길",
  location: (region: string) => `대한민국 지도에서 ${region}의 위치`,
  othersLabel: "다른 지역 {센터}",
  others: "다른 지역",
  overview: {
    none: "지정된 {센터:이/가} 없습니다",
    list: "지역별 {센터}",
    onMap: "지도에서 찾기",
    map: "{권역센터} 지도",
    show: (region: string) => `${region} {센터} 보기`,
    choose: "지역을 선택하시면 {센터} 안내로 이동합니다.",
  },
};

export type CenterTexts = typeof KOREAN_CENTER_TEXTS;
