import * as z from 'zod'
import { healthContracts } from '#shared/contracts/routes/health.ts'
import { apiFunction } from '../platform/api-function.ts'
import { parseEnv } from '../platform/env.ts'

const env = parseEnv({ PRODUCT_VERSION: z.string() })

/** Tells that the product answers, and which version: public, touches nothing. */
export const handler = apiFunction('health', healthContracts, {
  health: async () => ({ ok: true as const, version: env.PRODUCT_VERSION }),
})
