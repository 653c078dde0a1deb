import * as z from 'zod'
import { type OperatorApp, parseOperatorApps } from '#shared/provider-apps.ts'
import { parseEnv } from '../platform/env.ts'
import { secretStore } from '../platform/secrets/secret-store.ts'

let secrets: ReturnType<typeof secretStore> | undefined

/** OAuth apps that the operator registered with providers, by integration id. Users then connect without entering credentials. */
export async function loadOperatorApps(): Promise<Readonly<Record<string, OperatorApp>>> {
  const { PROVIDER_APPS_SECRET: name } = parseEnv({ PROVIDER_APPS_SECRET: z.string().optional() })
  if (!name) return {}
  secrets ??= secretStore()
  return parseOperatorApps(await secrets.read(name))
}
