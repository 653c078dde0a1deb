import * as z from 'zod'

export const healthContracts = {
  health: { response: z.object({ ok: z.literal(true), version: z.string() }) },
} as const
