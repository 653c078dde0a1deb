import * as z from 'zod'

/** The contracts of the function 'health'. */
export const healthContracts = {
  health: { response: z.object({ ok: z.literal(true), version: z.string() }) },
} as const
