import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

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

export interface Mail {
  id: string
  threadId: string
  from: string
  to: string
  subject: string
  text: string
  internalDate: number
  labelIds: string[]
}

export interface DriveFile {
  id: string
  name: string
  mimeType: string
  content: string
  modifiedTime: string
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
  mails: Mail[]
  files: DriveFile[]
  /** what was written at the other providers, by provider and kind */
  rows: Record<string, Row[]>
}

export async function openStore(file: string, initial: () => ProviderState) {
  const state = await load(file, initial)
  let saving = Promise.resolve()
  return {
    state,
    /** Saves the current data; responses wait for it. */
    save(): Promise<void> {
      saving = saving.catch(() => undefined).then(() => write(file, state))
      return saving
    },
  }
}

export type ProviderStore = Awaited<ReturnType<typeof openStore>>

async function load(file: string, initial: () => ProviderState): Promise<ProviderState> {
  try {
    // a file of an older version lacks newer fields
    return { ...initial(), ...(JSON.parse(await readFile(file, 'utf8')) as ProviderState) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return initial()
  }
}

async function write(file: string, state: ProviderState): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(`${file}.new`, JSON.stringify(state), { mode: 0o600 })
  await rename(`${file}.new`, file)
}
