export const OWN_PROPOSALS = "/Mypage/Proposals";

export const writeProposalHref = (id: string) => `/Proposal/Write/${id}`;

export const OFFICE_PROPOSALS = "/Admin/Proposals";

export const officeProposalHref = (id: string) => `${OFFICE_PROPOSALS}/${id}`;

export const PROPOSAL_CALLS = "/Admin/ProposalCalls";

export const proposalCallHref = (id: string) => `${PROPOSAL_CALLS}/${id}`;

/** The page of a new call, perhaps with the setting of an earlier one. */
export const newCallHref = (from?: string) => `${PROPOSAL_CALLS}/new${from ? `?from=${from}` : ""}`;

export const PROJECTS = "/Research/Projects";
