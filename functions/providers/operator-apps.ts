import * as z from 'zod'
import type { ProviderApps } from '#shared/contracts/admin.ts'
import { InvalidProviderApps, type OperatorApp, parseOperatorApps } from '#shared/provider-apps.ts'
import { parseEnv } from '../platform/env.ts'
import { validSecret } from '../platform/secrets/valid-secret.ts'
import { secretStore } from '../platform/secrets/secret-store.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { builtInProviders } from './built-in.ts'

let readApps: ReturnType<typeof validSecret<Readonly<Record<string, OperatorApp>>>> | undefined

/** OAuth apps that the operator registered with providers, by integration id. Users then connect without entering credentials. */
export async function loadOperatorApps(): Promise<Readonly<Record<string, OperatorApp>>> {
  const { PROVIDER_APPS_SECRET: name } = parseEnv({ PROVIDER_APPS_SECRET: z.string().optional() })
  if (!name) return {}
  readApps ??= validSecret(secretStore(), parseOperatorApps)
  return readApps(name)
}

/** Which integrations have an app of the operator, for administrators: nothing of an app itself. */
export async function describeOperatorApps(): Promise<ProviderApps> {
  let problem: ProviderApps['problem'] = null
  const apps = await loadOperatorApps().catch((error: unknown): Readonly<Record<string, OperatorApp>> => {
    logger.error('the apps of the operator could not be read', { error })
    problem = error instanceof InvalidProviderApps ? 'invalid' : 'unreadable'
    return {}
  })
  const withSignIn = builtInProviders.filter(({ oauth }) => oauth)
  return {
    problem,
    integrations: withSignIn.map(({ id, name }) => ({ id, name, has_app: Object.hasOwn(apps, id) })),
    unknown: Object.keys(apps).filter((id) => !withSignIn.some((provider) => provider.id === id)),
  }
}
