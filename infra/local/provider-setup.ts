import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ProviderDoubles, startProviderDoubles, writeOverrides } from './doubles/providers/server.ts'
import type { LocalSettings } from './settings.ts'

export interface ProviderSetup {
  /** undefined when the real providers are used */
  doubles: ProviderDoubles | undefined
  /** for PROVIDER_OVERRIDES */
  overridesFile: string | undefined
  /** for OUTBOUND_ALLOW */
  outboundAllow: string | undefined
}

/**
 * Starts doubles of the providers, unless the real ones are configured. The operator's overrides take precedence.
 * @throws Error when the operator's file cannot be read
 */
export async function setUpProviders({
  providers,
  providerOverrides,
  outboundAllow,
  dataDir,
}: Pick<
  LocalSettings,
  'providers' | 'providerOverrides' | 'outboundAllow' | 'dataDir'
>): Promise<ProviderSetup> {
  if (providers === 'live') return { doubles: undefined, overridesFile: providerOverrides, outboundAllow }
  const own = providerOverrides
    ? (JSON.parse(await readFile(providerOverrides, 'utf8')) as Record<string, object>)
    : {}
  const doubles = await startProviderDoubles({ dataDir })
  const overridesFile = join(dataDir, 'provider-overrides.json')
  await writeOverrides(overridesFile, doubles.overrides(), own)
  return {
    doubles,
    overridesFile,
    outboundAllow: [outboundAllow, doubles.host].filter(Boolean).join(','),
  }
}
