import { minPasswordCharacters } from '#shared/limits.ts'
import type { SignUpMode } from '#shared/sign-up-policy.ts'
import { ConfigError } from './api-errors.ts'
import { createStore, useStore } from './create-store.ts'

/** What the browser has to know at run time; holds no secret. */
export interface AppConfig {
  region: string
  userPoolId: string
  userPoolClientId: string
  /** the user pool's address where it is not Amazon's */
  userPoolEndpoint?: string
  /** origin of the hosted sign-in pages with its scheme; absent when Google sign-in is not set up */
  oauthDomain?: string
  assistantName: string
  brandName: string
  /** who may make an account without an invitation */
  signUp: SignUpMode
  /** how long a password has to be here; absent when it is what the product asks for */
  minPasswordCharacters?: number
  /** conversations can be shared by link; absent: they can */
  sharing?: boolean
  /** where the mails of a local installation are shown: a path of this origin */
  mailbox?: string
  /** which parts answer from built-in stand-ins until they are configured */
  demo: { model: boolean; providers: boolean }
  version: string
}

const timeoutMs = 10_000
const productNames = { brandName: 'Juno', assistantName: 'Juno' }
const loadedConfig = createStore<AppConfig | undefined>(undefined)
let loading: Promise<AppConfig> | undefined

/**
 * The configuration, read once; a failed read is tried again by the next call.
 * @throws ConfigError when it is missing or invalid
 */
export function loadConfig(): Promise<AppConfig> {
  loading ??= readConfig().then(
    (config) => {
      loadedConfig.setState(config)
      return config
    },
    (error: unknown) => {
      loading = undefined
      throw error
    },
  )
  return loading
}

/** The configuration once it is there; undefined before, or when it is missing. */
export const useConfig = (): AppConfig | undefined => useStore(loadedConfig)

/** The names to show: the brand's and the assistant's; the product's own until the configuration says otherwise. */
export function useBrand(): Pick<AppConfig, 'brandName' | 'assistantName'> {
  return useConfig() ?? productNames
}

/** How long a password has to be, as far as the page knows by now. */
export function leastPasswordCharacters(): number {
  return loadedConfig.getState()?.minPasswordCharacters ?? minPasswordCharacters
}

async function readConfig(): Promise<AppConfig> {
  try {
    const response = await fetch('/config.json', {
      cache: 'no-cache',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!response.ok) throw new ConfigError(`config.json answered ${response.status}`)
    return parseConfig(await response.json())
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError('config.json could not be read', { cause: error })
  }
}

const signUpModes: readonly unknown[] = ['open', 'closed', 'domains'] satisfies SignUpMode[]

const required = [
  'region',
  'userPoolId',
  'userPoolClientId',
  'assistantName',
  'brandName',
  'version',
] as const
const optional = ['userPoolEndpoint', 'oauthDomain'] as const

/**
 * Checks by hand what config.json holds: a validator would be a sixth of the first page.
 * @throws ConfigError naming the first field that is wrong
 */
export function parseConfig(value: unknown): AppConfig {
  if (!isRecord(value)) throw new ConfigError('config.json is no object')
  const wrong =
    required.find((key) => typeof value[key] !== 'string' || value[key] === '') ??
    optional.find((key) => value[key] !== undefined && !isAddress(value[key]))
  if (wrong) throw new ConfigError(`config.json: ${wrong}`)
  const { demo, mailbox, minPasswordCharacters: least, sharing, signUp } = value
  if (!signUpModes.includes(signUp)) throw new ConfigError('config.json: signUp')
  if (least !== undefined && !Number.isInteger(least))
    throw new ConfigError('config.json: minPasswordCharacters')
  if (sharing !== undefined && typeof sharing !== 'boolean') throw new ConfigError('config.json: sharing')
  if (mailbox !== undefined && !isPath(mailbox)) throw new ConfigError('config.json: mailbox')
  if (!isRecord(demo) || typeof demo.model !== 'boolean' || typeof demo.providers !== 'boolean')
    throw new ConfigError('config.json: demo')
  return value as unknown as AppConfig
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value)
}

/** `//host` and `/\host` are addresses of another origin. */
function isPath(value: unknown): boolean {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
