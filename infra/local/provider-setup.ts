import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { McpEndpoint } from './doubles/demo-server/serve-mcp.ts'
import { type ProviderDoubles, startProviderDoubles, writeOverrides } from './doubles/providers/server.ts'
import type { LocalSettings } from './settings.ts'

export interface ProviderSetup {
  /** undefined when the real providers are used */
  doubles: ProviderDoubles | undefined
  /** undefined when the real providers are used, or none is configured */
  demoServer: McpEndpoint | undefined
  /** for PROVIDER_OVERRIDES */
  overridesFile: string | undefined
  /** for OUTBOUND_ALLOW */
  outboundAllow: string | undefined
}

/**
 * Starts doubles of the providers, unless the real ones are configured. The operator's overrides take precedence.
 * @throws Error when the file `providerOverrides` cannot be read or parsed
 */
export async function setUpProviders({
  providers,
  providerOverrides,
  outboundAllow,
  dataDir,
  demoMcpPort,
}: Pick<
  LocalSettings,
  'providers' | 'providerOverrides' | 'outboundAllow' | 'dataDir' | 'demoMcpPort'
>): Promise<ProviderSetup> {
  if (providers === 'live')
    return { doubles: undefined, demoServer: undefined, overridesFile: providerOverrides, outboundAllow }
  const operatorOverrides = providerOverrides
    ? (JSON.parse(await readFile(providerOverrides, 'utf8')) as Record<string, object>)
    : {}
  const doubles = await startProviderDoubles({ dataDir })
  const demoServer = demoMcpPort === undefined ? undefined : await startDemo(demoMcpPort)
  const overridesFile = join(dataDir, 'provider-overrides.json')
  await writeOverrides(overridesFile, doubles.overrides(), operatorOverrides)
  return {
    doubles,
    demoServer,
    overridesFile,
    outboundAllow: [outboundAllow, doubles.host, demoServer?.host].filter(Boolean).join(','),
  }
}

/** Starts the demo MCP server, on another port if this one is taken. The import is dynamic: without the server, the MCP library is not loaded. */
async function startDemo(port: number): Promise<McpEndpoint> {
  const { startDemoServer } = await import('./doubles/demo-server/server.ts')
  return startDemoServer(port).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return startDemoServer()
  })
}
