import * as z from 'zod'
import { tokenVerifier } from '../auth/access-token.ts'
import { parseEnv } from '../env.ts'
import { rateLimit } from './rate-limit.ts'
import { loadSiteConfig } from '../site-config.ts'
import { openTable } from '../dynamodb/table.ts'
import { tokenRevocation } from '../auth/token-revocation.ts'

function createGuards() {
  const env = parseEnv({
    TABLE_NAME: z.string(),
    TOKEN_ISSUER: z.string(),
    JWKS_URI: z.url(),
    RATE_LIMIT_FACTOR: z.coerce.number().positive().default(1),
  })
  const table = openTable(env.TABLE_NAME)
  return {
    verify: tokenVerifier({
      issuer: env.TOKEN_ISSUER,
      jwksUri: env.JWKS_URI,
      clientId: async () => (await loadSiteConfig()).clientId,
    }),
    revocation: tokenRevocation(table),
    limits: rateLimit(table, env.RATE_LIMIT_FACTOR),
  }
}

let guards: ReturnType<typeof createGuards> | undefined

/** The token verifier, the revocation check and the rate limits, created once per cold start. Functions with only public routes need none. */
export function requestGuards(): ReturnType<typeof createGuards> {
  guards ??= createGuards()
  return guards
}
