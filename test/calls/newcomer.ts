/** Sign-up input without agreements and the e-mail token. */
export const NEWCOMER = {
  userKeyType: "Id",
  userKeyCode: "newcomer",
  password: "Zk7!mQ2x",
  userName: "홍길동",
  profile: {
    affiliation: "한빛대학교병원",
    specialty: "내과(알레르기·면역)",
    phone: "02-123-4567",
    memberType: "전문의",
  },
};
