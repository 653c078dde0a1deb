import * as z from 'zod'
import { tokenVerifier } from './access-token.ts'
import { parseEnv } from './env.ts'
import { rateLimit } from './rate-limit.ts'
import { siteConfig } from './site-config.ts'
import { openTable, type Table } from './table.ts'
import { tokenRevocation } from './token-revocation.ts'

function create(given: Table | undefined) {
  const env = parseEnv({
    TABLE_NAME: z.string(),
    TOKEN_ISSUER: z.string(),
    JWKS_URI: z.url(),
    RATE_LIMIT_FACTOR: z.coerce.number().positive().default(1),
  })
  const table = given ?? openTable(env.TABLE_NAME)
  return {
    verify: tokenVerifier({
      issuer: env.TOKEN_ISSUER,
      jwksUri: env.JWKS_URI,
      clientId: async () => (await siteConfig()).clientId,
    }),
    revocation: tokenRevocation(table),
    limits: rateLimit(table, env.RATE_LIMIT_FACTOR),
  }
}

let created: ReturnType<typeof create> | undefined

/**
 * Who checks callers: the token verifier, the marks on revoked tokens and the budgets, made once per cold start. A function of public
 * routes alone needs none.
 * @param table the function's own, where it reads rows together; counts when the first call makes the gatekeeper
 */
export function gatekeeper(table?: Table): ReturnType<typeof create> {
  created ??= create(table)
  return created
}
