import * as z from 'zod'
import type { ReconnectReason } from '#shared/reconnect-reason.ts'

/** See `ReconnectReason`. */
export const reconnectReason = z.object({
  kind: z.enum(['moved', 'key_headers', 'no_address', 'key_rejected']),
  host: z.string(),
}) satisfies z.ZodType<ReconnectReason>
