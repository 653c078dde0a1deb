import * as z from 'zod'
import { parseEnv } from '../platform/env.ts'
import { sealer, type Sealer } from '../platform/seal.ts'
import { secretStore } from '../platform/secret-store.ts'

let created: Sealer | undefined

/** Seals tokens and the secrets of sign-ins under way, with the key that the operator's secret holds. */
export function sealing(): Sealer {
  created ??= sealer(secretStore(), parseEnv({ SEALING_KEY_SECRET: z.string() }).SEALING_KEY_SECRET)
  return created
}
