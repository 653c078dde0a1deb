import * as z from 'zod'

/** The answer of a route that has nothing to tell but that it worked. */
export const success = z.object({ success: z.literal(true) })
