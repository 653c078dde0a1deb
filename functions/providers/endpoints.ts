import { saySetUp } from '#shared/sentences/set-ups.ts'
import { readFileSync } from 'node:fs'
import * as z from 'zod'
import type { Environment } from '#shared/contracts/connection-kinds.ts'
import { BadRequest } from '../platform/errors.ts'
import { parseEnv } from '../platform/env.ts'
import { type BuiltInProvider, builtInProviders } from './built-in.ts'

const overrides = z.record(
  z.string(),
  z.object({
    authUrl: z.string().optional(),
    tokenUrl: z.string().optional(),
    revokeUrl: z.string().optional(),
    apiBase: z.string().optional(),
    mcpUrl: z.string().optional(),
  }),
)

let cachedOverrides: z.output<typeof overrides> | undefined

/** Reads PROVIDER_OVERRIDES once: a JSON file with URLs that replace those of providers. */
function readOverrides(id: string) {
  if (!cachedOverrides) {
    const { PROVIDER_OVERRIDES: file } = parseEnv({ PROVIDER_OVERRIDES: z.string().optional() })
    cachedOverrides = file ? overrides.parse(JSON.parse(readFileSync(file, 'utf8'))) : {}
  }
  return Object.hasOwn(cachedOverrides, id) ? (cachedOverrides[id] ?? {}) : {}
}

/** What a provider's URLs depend on, besides the provider. */
export interface ProviderTenant {
  environment: Environment
  /** values of the provider's `addressParameters` */
  parameters: Readonly<Record<string, string>>
}

export interface ProviderEndpoints {
  apiBase: string
  /** by name; below the API root if that is overridden */
  otherBases: Readonly<Record<string, string>>
  oauth: { authUrl: string; tokenUrl: string; refreshUrl: string; revokeUrl: string | undefined } | undefined
}

/**
 * Builds the URLs of a provider for an environment and a tenant.
 * @throws BadRequest if a parameter is missing or not valid
 */
export function buildEndpoints(
  provider: BuiltInProvider,
  { environment, parameters }: ProviderTenant,
): ProviderEndpoints {
  const values = checkParameters(provider, parameters)
  const fill = (address: string) => {
    const filled = address.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
    const { hostname } = values
    return provider.id === 'salesforce' && hostname
      ? filled.replace(/\/\/(login|test)\.salesforce\.com/, `//${hostname}`)
      : filled
  }
  const override = readOverrides(provider.id)
  const isSandbox = environment === 'sandbox'
  const addresses = isSandbox ? (provider.oauth?.sandbox ?? provider.oauth) : provider.oauth
  const apiBase = override.apiBase ?? fill((isSandbox && provider.sandboxApiBase) || provider.apiBase)
  const otherBases = Object.fromEntries(
    Object.entries(provider.otherBases ?? {}).map(([name, address]) => [
      name,
      override.apiBase === undefined ? fill(address) : `${override.apiBase}/${name}`,
    ]),
  )
  if (!provider.oauth || !addresses) return { apiBase, otherBases, oauth: undefined }
  const tokenUrl = override.tokenUrl ?? fill(addresses.tokenUrl)
  const revokeUrl = override.revokeUrl ?? addresses.revokeUrl
  return {
    apiBase,
    otherBases,
    oauth: {
      authUrl: override.authUrl ?? fill(addresses.authUrl),
      tokenUrl,
      refreshUrl: override.tokenUrl ?? fill(provider.oauth.refreshUrl ?? addresses.tokenUrl),
      revokeUrl: revokeUrl === undefined ? undefined : fill(revokeUrl),
    },
  }
}

/** @returns the URL of the provider's remote MCP server if it supports dynamic client registration */
export function remoteMcpUrl({ id, remoteMcp }: BuiltInProvider): string | undefined {
  return remoteMcp?.auth === 'dcr' ? (readOverrides(id).mcpUrl ?? remoteMcp.url) : undefined
}

/** @returns the URLs of each built-in provider, with a letter in place of each tenant parameter; used to recognise providers */
export function providerAddresses(): string[][] {
  return builtInProviders.map((provider) => {
    const { apiBase, sandboxApiBase, otherBases, oauth, remoteMcp, id } = provider
    const override = readOverrides(id)
    const signIns = [oauth, oauth?.sandbox].flatMap((one) => [one?.authUrl, one?.tokenUrl, one?.revokeUrl])
    const overriding = [
      override.authUrl,
      override.tokenUrl,
      override.revokeUrl,
      override.apiBase,
      override.mcpUrl,
    ]
    return [apiBase, sandboxApiBase, remoteMcp?.url, Object.values(otherBases ?? {}), signIns, overriding]
      .flat()
      .filter((address) => address !== undefined)
      .map((address) => address.replace(/\{\w+\}/g, 'x'))
      .filter((address) => URL.canParse(address))
  })
}

function checkParameters(
  provider: BuiltInProvider,
  parameters: Readonly<Record<string, string>>,
): Record<string, string> {
  const values: Record<string, string> = {}
  for (const { name, label, optional, pattern, default: defaultValue } of provider.addressParameters) {
    const value = (Object.hasOwn(parameters, name) ? (parameters[name] ?? '') : '').trim() || defaultValue
    if (value === undefined) {
      if (!optional) throw new BadRequest(saySetUp('bad_request.field_required', { label }))
    } else if (new RegExp(pattern).test(value)) values[name] = value
    else throw new BadRequest(saySetUp('bad_request.field_invalid', { label }))
  }
  return values
}
