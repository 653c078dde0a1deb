import * as z from 'zod'
import type { ReconnectReason } from '#shared/reconnect-reason.ts'

/** See `ReconnectReason`. */
export const reconnectReason = z.object({
  kind: z.enum(['moved', 'key_headers', 'no_address', 'key_rejected', 'scopes']),
  host: z.string(),
  scopes: z.array(z.string()).optional(),
}) satisfies z.ZodType<ReconnectReason>
