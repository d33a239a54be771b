/** Below `/api/admin`. */
export const OFFICE_PROPOSAL_CALLS = [
  "GET /proposal",
  "GET /proposal/:id",
  "POST /proposal/:id/check",
  "POST /proposal/:id/return",
  "POST /proposal/:id/reviewer",
  "DELETE /proposal/:id/reviewer/:reviewId",
  "POST /proposal/:id/review",
  "POST /proposal/:id/decision",
  "GET /proposal-call",
  "POST /proposal-call",
  "GET /proposal-call/:id",
  "PATCH /proposal-call/:id",
  "DELETE /proposal-call/:id",
];

export const MEMBER_PROPOSAL_CALLS = {
  "GET /api/project": "everyone",
  "GET /api/proposal": "signed in",
  "POST /api/proposal": "signed in",
  "GET /api/proposal/:id": "signed in",
  "GET /api/proposal/:id/draft": "signed in",
  "PATCH /api/proposal/:id": "signed in",
  "POST /api/proposal/:id/submit": "signed in",
  "POST /api/proposal/:id/withdraw": "signed in",
  "GET /api/proposal/:id/review": "signed in",
  "PATCH /api/proposal/:id/review": "signed in",
  "POST /api/proposal/:id/review/accept": "signed in",
  "POST /api/proposal/:id/review/recuse": "signed in",
  "POST /api/proposal/:id/review/submit": "signed in",
} as const;
