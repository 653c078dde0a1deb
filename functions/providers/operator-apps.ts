import * as z from 'zod'
import { parseEnv } from '../platform/env.ts'
import { secretStore } from '../platform/secrets/secret-store.ts'

const apps = z.record(
  z.string(),
  z.object({ clientId: z.string().min(1), clientSecret: z.string().optional() }),
)
export interface OperatorApp {
  clientId: string
  clientSecret?: string | undefined
}

let secrets: ReturnType<typeof secretStore> | undefined

/** OAuth apps that the operator registered with providers, by integration id. Users then connect without entering credentials. */
export async function loadOperatorApps(): Promise<Readonly<Record<string, OperatorApp>>> {
  const { PROVIDER_APPS_SECRET: name } = parseEnv({ PROVIDER_APPS_SECRET: z.string().optional() })
  if (!name) return {}
  secrets ??= secretStore()
  return apps.parse(JSON.parse(await secrets.read(name)))
}
