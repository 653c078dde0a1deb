import * as z from 'zod'

/** What the routes of the function 'health' take and answer. */
export const healthContracts = {
  health: { response: z.object({ ok: z.literal(true), version: z.string() }) },
} as const
