import { coded } from '#shared/sentences/sentence.ts'
import * as z from 'zod'
import { authType, environment } from '#shared/contracts/connection-kinds.ts'
import { reconnectReason } from '#shared/contracts/reconnect.ts'
import { success } from '#shared/contracts/success.ts'

/** Any other stored value is read as unknown. */
const tokenStatus = z.enum(['active', 'expired', 'needs_refresh', 'invalid', 'inactive', 'unknown'])
export type TokenStatus = z.infer<typeof tokenStatus>

/** What users enter: names as in the entry's `credential_fields`; `{apiKey}` for one key. */
const credentials = z
  .record(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/), z.string().max(8_192))
  .refine((fields) => Object.keys(fields).length <= 20, 'too many fields')

/** Values of the entry's `address_parameters`; checked against the parameter's pattern before an address is built. */
const parameters = z
  .record(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/), z.string().max(253))
  .refine((fields) => Object.keys(fields).length <= 10, 'too many fields')

/** An entry's id; a sandbox connection has the suffix `-sandbox`. */
const mcpId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)

/** A user's connection with what follows from it. Times are ISO 8601. */
const integration = z.object({
  id: z.string(),
  user_id: z.string(),
  mcp_id: z.string(),
  mcp_name: z.string(),
  status: z.enum(['connected', 'disconnected']),
  token_status: tokenStatus,
  connected_at: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  settings: z.object({ environment }),
  credential_id: z.string().nullable(),
  /** null if nothing is stored */
  credential: z
    .object({ status: z.string(), expires_at: z.string().nullable(), needs_refresh: z.boolean() })
    .nullable(),
  auth_type: authType,
  /** as in the catalogue's entry */
  provider: z.string(),
  /** publisher of an entry of the MCP Registry, as in `com.example` */
  namespace: z.string().optional(),
  /** When the person must act; null: never, as far as known */
  expires_at: z.string().nullable(),
  display_status: z.enum(['connected', 'stale', 'disconnected']),
  needsAttention: z.boolean(),
  /** null where nothing expires */
  expiryDisplay: z.string().nullable(),
  health_status: z.enum(['healthy', 'attention']),
  /** there is a refresh token, so `refresh` can help */
  refreshable: z.boolean(),
  open_url: z.string().nullable(),
  /** nothing is sent until it is connected again; `token_status` is then `invalid` */
  reconnect: reconnectReason.optional(),
})
export type Connection = z.infer<typeof integration>

export const integrationList = z.object({ integrations: z.array(integration) })

/**
 * Connects an entry that needs no redirect. Errors: 404 'MCP with ID <id> not found', 400 '<auth_type> authentication required.
 * Please provide credentials.', 422 when the provider rejects the values in the test call, 502 when it does not respond.
 */
export const connectRequest = z.strictObject({
  credentials: credentials.optional(),
  environment: environment.default('production'),
  parameters: parameters.optional(),
})
export const integrationResponse = z.object({ success: z.literal(true), integration })

/** `revoked`: the provider confirmed that the grant is gone; false also where it offers no such call */
export const disconnectResponse = z.object({ success: z.literal(true), revoked: z.boolean() })
export const cleanupResponse = z.object({ success: z.literal(true), deleted: z.array(z.string()) })

/** POST credential-manager. `retrieve` returns masked values only. */
export const credentialRequest = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('store'), mcpId, credentials }),
  z.strictObject({ action: z.literal('update'), mcpId, credentials }),
  z.strictObject({ action: z.literal('retrieve'), mcpId }),
  z.strictObject({ action: z.literal('delete'), mcpId }),
])
export const credentialResponse = z.object({
  success: z.literal(true),
  /** field names with masks such as `••••1234`; only with `retrieve` */
  credentials: z.record(z.string(), z.string()).optional(),
})

const redirect = z.url().max(500)
const oauthClient = {
  clientId: z.string().trim().max(500).optional(),
  clientSecret: z.string().max(2_000).optional(),
}

/**
 * POST oauth-handler:
 * - `initiate` returns `authUrl`; or `mcpId` when the server required no sign-in and is connected; or `foreignSignIn` when the person has to
 *   agree to something first; or `manualRegistration` when it needs a Client ID
 * - `exchange` and `callback` redeem the code, once
 * - `refresh` renews the tokens
 * - `refused` returns an `authUrl` where a sign-in without an optional parameter that the server refused can be tried, otherwise nothing
 *
 * The state alone decides what `exchange` and `callback` connect: what else they carry must fit it.
 */
export const oauthRequest = z.discriminatedUnion('action', [
  z.strictObject({
    action: z.literal('initiate'),
    mcpId,
    /** may be left out where the entry is `preconfigured` or `one_click`; 400 `setup_required` when it is needed after all */
    ...oauthClient,
    environment: environment.default('production'),
    redirectUri: redirect,
    parameters: parameters.optional(),
    /** `signsInAt` of a `foreignSignIn` that the person has read and agreed to */
    agreedTo: z.array(z.string().max(300)).max(5).optional(),
  }),
  z.strictObject({
    action: z.literal('exchange'),
    code: z.string().min(1).max(4_096),
    state: z.string().min(1).max(512),
    redirect_uri: redirect,
    /** RFC 9207, where the provider sent it */
    iss: z.string().max(500).optional(),
  }),
  z.strictObject({
    action: z.literal('callback'),
    code: z.string().min(1).max(4_096),
    /** without it the call is refused like one with a used state */
    state: z.string().min(1).max(512).optional(),
    mcpId,
    ...oauthClient,
    environment: environment.default('production'),
    redirectUri: redirect,
    iss: z.string().max(500).optional(),
  }),
  z.strictObject({ action: z.literal('refresh'), mcpId }),
  z.strictObject({
    action: z.literal('refused'),
    state: z.string().min(1).max(512),
    redirect_uri: redirect,
    /** RFC 6749 section 4.1.2.1 */
    error: z.string().min(1).max(200),
    error_description: z.string().max(2_000).optional(),
  }),
])

export const oauthResponse = z.object({
  success: z.literal(true),
  message: z.string(),
  /** what `message` says, where the user has to do something */
  ...coded.partial().shape,
  /** name of the provider */
  provider: z.string(),
  /** URL of the sign-in; only with `initiate` and `refused` */
  authUrl: z.string().optional(),
  /** what was connected or refreshed; with `initiate` only where no sign-in is needed */
  mcpId: z.string().optional(),
  /**
   * of `initiate`: the server does not register clients. The user registers one at the host `registerAt` with this redirect URI; then
   * `initiate` takes its `clientId` with `clientRedirectUri` as `redirectUri`
   */
  manualRegistration: z.object({ clientRedirectUri: z.string(), registerAt: z.string() }).optional(),
  /** only with `initiate`: users of the server at `server` sign in at hosts that are not its own; `message` says what that means */
  foreignSignIn: z.object({ server: z.string(), signsInAt: z.array(z.string()) }).optional(),
})

/** Blank pairs are ignored; the field `header` is the name of the header that carries the key. */
const customToolConfig = z.object({
  serverUrl: z.string().max(2_000).default(''),
  apiKey: z.string().max(8_192).default(''),
  customFields: z.record(z.string().max(100), z.string().max(8_192)).default({}),
})
export const customToolRequest = z.strictObject({
  name: z.string().max(200),
  description: z.string().max(2_000).default(''),
  config: customToolConfig.prefault({}),
})

/** Secrets masked, never values. */
const customTool = z.object({
  id: z.string(),
  user_id: z.string(),
  name: z.string(),
  description: z.string(),
  config: z.object({
    serverUrl: z.string(),
    /** a mask, or empty */
    apiKey: z.string(),
    customFields: z.record(z.string(), z.string()),
  }),
  is_active: z.boolean(),
  created_at: z.string(),
})
export type CustomTool = z.infer<typeof customTool>
export const customToolList = z.object({ tools: z.array(customTool) })
export const customToolResponse = z.object({ success: z.literal(true), tool: customTool })

/** Another key for a custom tool whose server rejects the one it has. Its other fields stay. */
export const customToolKeyRequest = z.strictObject({ apiKey: z.string().min(1).max(8_192) })

/** Test connection: asks a server for its tools before anything is saved. */
export const customToolTestRequest = z.strictObject({ config: customToolConfig })
export const customToolTestResponse = z.object({
  success: z.literal(true),
  server: z.string(),
  tools: z.array(z.object({ name: z.string(), description: z.string() })),
})

export const integrationsContracts = {
  'credentials.manage': { request: credentialRequest, response: credentialResponse },
  'integrations.list': { response: integrationList },
  'integrations.cleanup': { request: z.strictObject({}), response: cleanupResponse },
  'integrations.connect': { request: connectRequest, response: integrationResponse },
  'integrations.disconnect': { request: z.strictObject({}), response: disconnectResponse },
  'integrations.refresh': { request: z.strictObject({}), response: integrationResponse },
  'customTools.list': { response: customToolList },
  'customTools.add': { request: customToolRequest, response: customToolResponse },
  'customTools.test': { request: customToolTestRequest, response: customToolTestResponse },
  'customTools.setKey': { request: customToolKeyRequest, response: customToolResponse },
  'customTools.remove': { response: success },
} as const

export const oauthContracts = {
  'oauth.handle': { request: oauthRequest, response: oauthResponse },
} as const
