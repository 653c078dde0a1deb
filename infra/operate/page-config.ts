import * as z from 'zod'

/** The fields of the page's config.json that commands read. */
export const pageConfig = z.object({
  region: z.string(),
  userPoolId: z.string(),
  userPoolClientId: z.string(),
  userPoolEndpoint: z.string().optional(),
  version: z.string(),
})
