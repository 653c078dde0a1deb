import * as z from 'zod'

/** The response of a route without a result. */
export const success = z.object({ success: z.literal(true) })
