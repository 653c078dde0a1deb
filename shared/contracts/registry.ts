import { authType, environment } from '#shared/contracts/connection-kinds.ts'
import { coded } from '#shared/sentences/sentence.ts'
import * as z from 'zod'
import { registryServicePageSize } from '#shared/limits.ts'
import { exclusionReasons } from '#shared/registry-exclusions.ts'

/** All fields except `features`, `popularity` and `source` are present only if the entry's source provides them. */
export const registryConfig = z.object({
  features: z.array(z.string()),
  /** 10 to 100, 50 where nothing is known */
  popularity: z.number(),
  source: z.enum(['builtin', 'github', 'mcp-registry']),
  endpoints: z.array(z.object({ name: z.string(), method: z.string(), path: z.string() })).optional(),
  icon: z.string().optional(),
  repository: z.string().optional(),
  server_name: z.string().optional(),
  /** https */
  documentation_url: z.string().optional(),
  /** plain text, one step each */
  setup_instructions: z.array(z.string()).optional(),
  /** names to be copied */
  required_credentials: z.array(z.string()).optional(),
  github_stars: z.number().optional(),
  last_updated: z.string().optional(),
  /** address of the remote MCP server, https; it may hold {placeholders} */
  remote_url: z.string().optional(),
  /** the publisher marks it as superseded */
  deprecated: z.boolean().optional(),
})

/** One value that a person types to connect; `name` is its key in `credentials`. */
const credentialField = z.object({
  name: z.string(),
  label: z.string(),
  /** to be typed hidden, and never shown again */
  secret: z.boolean(),
  placeholder: z.string(),
})

/** A part of the provider's address that differs per tenant; `name` is its key in `parameters`. */
const addressParameter = z.object({
  name: z.string(),
  label: z.string(),
  optional: z.boolean(),
  example: z.string(),
  default: z.string().optional(),
})

/** An entry of the catalogue, with what the page needs to connect it. */
export const registryEntry = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** the company that runs the service; of an entry of the MCP Registry, its namespace */
  provider: z.string(),
  /** publisher of an entry of the MCP Registry, verified by the registry, as in `com.example` */
  namespace: z.string().optional(),
  auth_type: authType,
  config: registryConfig,
  oauth_config: z
    .object({
      auth_url: z.string(),
      token_url: z.string(),
      scopes: z.array(z.string()),
      response_type: z.literal('code'),
    })
    .nullable(),
  /** name of an icon, or null: the page then shows initials */
  icon: z.string().nullable(),
  is_active: z.boolean(),
  /** ISO 8601 */
  updated_at: z.string(),
  sandbox_supported: z.boolean(),
  environments: z.array(environment),
  /** Of built-in entries; seconds */
  lastUpdated: z.string().optional(),
  expiresIn: z.number().optional(),
  /** the provider's pages and the steps of the set-up; `{origin}` stands for the product's own address */
  setup: z
    .object({
      setupUrl: z.string(),
      /** where apps of the sandbox are made, if not at `setupUrl` */
      sandboxSetupUrl: z.string().optional(),
      docsUrl: z.string(),
      appType: z.string(),
      steps: z.array(z.string()),
    })
    .optional(),
  /** What to ask for when the entry is connected with typed values; empty otherwise */
  credential_fields: z.array(credentialField),
  /** empty for most */
  address_parameters: z.array(addressParameter),
  /** the site that 'Open Service' opens, or null: the button is then disabled */
  open_url: z.string().nullable(),
  /** what the assistant can do once it is connected, in people's words; absent where only the connected server tells */
  tools: z.array(z.string()).optional(),
  /** an operator set up the app: `initiate` then needs no Client ID */
  preconfigured: z.boolean(),
  /** there is a remote MCP server to ask first: `initiate` may then need nothing that is typed */
  one_click: z.boolean(),
})
export type RegistryEntry = z.infer<typeof registryEntry>

const filters = {
  /** Substring, ignoring case */
  provider: z.string().max(100).optional(),
  /** Exact */
  auth_type: authType.optional(),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(registryServicePageSize),
  /** reads past the cache, as pages do after a sync */
  fresh: z
    .literal('true')
    .transform(() => true as const)
    .optional(),
}
export const registryPageQuery = z.object(filters)
/** an empty term returns the same as registryPageQuery */
export const registrySearchQuery = z.object({ term: z.string().max(200).default(''), ...filters })

/** The answers of page and search have the same shape. */
export const registryPage = z.object({
  items: z.array(registryEntry),
  total: z.number().int(),
  hasMore: z.boolean(),
  page: z.number().int(),
})
export type RegistryPage = z.infer<typeof registryPage>

/** Entries that are not in the catalogue, by reason. */
export const exclusions = z.partialRecord(z.enum(exclusionReasons), z.number().int())

/** `lastSync` is null before the first sync. */
export const syncStatus = z.object({
  isHealthy: z.boolean(),
  lastSync: z.string().nullable(),
  totalServers: z.number().int(),
  /** a sync is running */
  running: z.boolean(),
  /** imitations among all that is known; by the other reasons what the last sync of the MCP Registry read */
  excluded: exclusions,
})
export type SyncStatus = z.infer<typeof syncStatus>

/** `success` with `errors` is 'Completed with Issues'. */
export const syncResult = z.object({
  success: z.boolean(),
  stats: z.object({ total: z.number().int(), new: z.number().int(), updated: z.number().int() }),
  errors: z.array(z.string()),
  /** what each of `errors` says */
  codes: z.array(coded).optional(),
})
export type SyncResult = z.infer<typeof syncResult>

/** POST mcp-registry-sync, the Enhanced Sync button. A sync that is already running is joined. May take minutes. */
export const registrySyncRequest = z.strictObject({
  trigger: z.literal('manual').default('manual'),
  enhanced: z.boolean().default(true),
})

/**
 * The other buttons. `force`: both sources, without their stored ETags and cursor; `github`: the code host alone;
 * `refresh`: the readers' copy is read again, nothing is fetched from outside.
 */
export const registryRefreshRequest = z.strictObject({
  kind: z.enum(['force', 'enhanced', 'github', 'refresh']),
})

/** The contracts of the function 'manualSync'. */
export const manualSyncContracts = {
  'registry.sync': { request: registrySyncRequest, response: syncResult },
  'registry.refresh': { request: registryRefreshRequest, response: syncResult },
} as const

export const registryContracts = {
  'registry.page': { query: registryPageQuery, response: registryPage },
  'registry.search': { query: registrySearchQuery, response: registryPage },
  'registry.status': { response: syncStatus },
  'registry.one': { response: z.object({ entry: registryEntry }) },
} as const
