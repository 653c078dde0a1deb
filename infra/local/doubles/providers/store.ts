interface Code {
  provider: string
  clientId: string
  redirectUri: string
  challenge: string | undefined
  resource: string | undefined
  scopes?: readonly string[] | undefined
  expiresAtMs: number
}

interface Grant {
  provider: string
  clientId: string
  /** the current one; a rotated one is gone */
  refreshToken: string | undefined
  /** what the consent page asked for; absent: everything that the app may have */
  scopes?: readonly string[] | undefined
  revoked: boolean
}

interface AccessToken {
  grantId: string
  expiresAtMs: number | null
}

/** An app that registered itself. */
interface Client {
  provider: string
  redirectUris: readonly string[]
  secret: string | undefined
}

/** An item in the list of a remote MCP server. */
export interface McpItem {
  id: string
  title: string
  text: string
}

/** A provider's record, in the form in which its API returns it. */
export type Row = Record<string, unknown>

/** The doubles' data; it survives a restart like all local data. */
export interface ProviderState {
  codes: Record<string, Code>
  grants: Record<string, Grant>
  accessTokens: Record<string, AccessToken>
  clients: Record<string, Client>
  /** by provider */
  notes: Record<string, McpItem[]>
  /** what was written, by provider and kind */
  rows: Record<string, Row[]>
}

export interface ProviderStore {
  readonly state: ProviderState
  save(): Promise<void>
}
