/** Below `/api/admin`. */
export const OFFICE_EVENT_CALLS = [
  "GET /event",
  "GET /event/item",
  "GET /event/:boardCode/:itemNo",
  "PUT /event/:boardCode/:itemNo",
  "PATCH /event/:boardCode/:itemNo",
  "DELETE /event/:boardCode/:itemNo",
  "GET /event/:boardCode/:itemNo/registration",
  "GET /event/:boardCode/:itemNo/figures",
  "POST /event/:boardCode/:itemNo/registration",
  "POST /event/:boardCode/:itemNo/move",
  "POST /event/:boardCode/:itemNo/call-off",
  "POST /event/:boardCode/:itemNo/mailing",
  "POST /event/:boardCode/:itemNo/certificate",
  "POST /event/:boardCode/:itemNo/print-data",
  "POST /event/:boardCode/:itemNo/export",
  "POST /event/registration/:id/up",
  "POST /event/registration/:id/cancel",
  "POST /event/registration/:id/refund",
  "POST /event/registration/:id/attendance",
];

export const MEMBER_EVENT_CALLS = {
  "GET /api/event": "signed in",
  "GET /api/event/:boardCode/:itemNo": "board permission",
  "POST /api/event/:boardCode/:itemNo": "signed in",
  "PATCH /api/event/registration/:id": "signed in",
  "POST /api/event/registration/:id/cancel": "signed in",
  "POST /api/event-guest/:boardCode/:itemNo": "everyone",
  "PATCH /api/event-guest/registration/:token": "signed path",
  "POST /api/event-guest/registration/:token/cancel": "signed path",
} as const;
