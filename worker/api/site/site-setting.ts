import { getAuthenticationInfo } from "#worker/domain/account/signup-form.server.ts";
import { getSiteInfo } from "#worker/domain/site/site.server.ts";
import { logoPath } from "#worker/contract/site/identity-input.ts";
import { getLogoPicture } from "#worker/domain/site/identity.server.ts";
import { validatePath } from "../kernel/http.ts";
import { apiRoutes, readCall } from "../kernel/call.ts";

export const siteSettingApi = apiRoutes()
  .get("/info", readCall(getSiteInfo))
  .get("/authentication", readCall(getAuthenticationInfo))
  .get("/logo/:picture", validatePath(logoPath), async (c) => {
    const { contentType, body } = await getLogoPicture(c.var.scope, c.req.valid("param").picture);
    const headers = {
      "Content-Type": contentType,
      // The address changes with the image; without `v` it is revalidated.
      "Cache-Control": c.req.query("v") ? "public, max-age=31536000, immutable" : "public, no-cache",
      "Cross-Origin-Resource-Policy": "cross-origin",
    };
    return new Response(body, { headers });
  });
