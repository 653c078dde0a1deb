import * as z from 'zod'

/** How an entry is connected. `unknown` is a remote server that only tells when it is asked. */
export const authType = z.enum(['oauth2', 'api_key', 'none', 'unknown'])
export type AuthType = z.infer<typeof authType>

/** `production` is shown as Live. */
export const environment = z.enum(['production', 'sandbox'])
export type Environment = z.infer<typeof environment>
