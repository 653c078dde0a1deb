import { minPasswordCharacters } from '#shared/limits.ts'
import type { PublicIdentityProvider } from '#shared/identity-providers.ts'
import type { PublicModel } from '#shared/models.ts'
import type { SignUpMode } from '#shared/sign-up-policy.ts'
import { ConfigError } from './api-errors.ts'
import { createStore, useStore } from '../browser/create-store.ts'
import { defaultTimeoutMs } from '../browser/limits.ts'

/** The page's configuration at run time; contains no secrets. */
export interface AppConfig {
  region: string
  userPoolId: string
  userPoolClientId: string
  /** endpoint of the user pool if it is not Amazon's */
  userPoolEndpoint?: string
  /** origin of the hosted UI; absent when neither Google nor another identity provider is set up */
  oauthDomain?: string
  /** false: the hosted UI has no Google; absent: it has */
  googleSignIn?: boolean
  /** sign-in providers of the operator, beside Google; absent: none */
  identityProviders?: readonly PublicIdentityProvider[]
  /** false: password sign-in is switched off; on by default */
  passwordSignIn?: boolean
  assistantName: string
  brandName: string
  /** who may sign up without an invitation */
  signUp: SignUpMode
  /** minimum password length; absent for the default */
  minPasswordCharacters?: number
  /** whether conversations can be shared by link; absent: yes */
  sharing?: boolean
  /** the origin that shows apps of MCP servers; absent: none is shown */
  appsOrigin?: string
  /** whether what the user says can be written down; absent: no */
  dictation?: boolean
  /** whether a model writes the titles of conversations; absent: no */
  writesTitles?: boolean
  /** the models to choose from; absent where their server lists them, until it was asked (lib/api/server-models.ts) */
  models?: readonly PublicModel[]
  /** path of the local mailbox, on a local installation */
  mailbox?: string
  /** which parts are simulated until they are configured */
  demo: { model: boolean; providers: boolean }
  version: string
}

const defaultBrand = { brandName: 'Juno', assistantName: 'Juno' }
const loadedConfig = createStore<AppConfig | undefined>(undefined)
let configPromise: Promise<AppConfig> | undefined

/**
 * Loads the configuration once; a failure is retried by the next call.
 * @throws ConfigError when it is missing or invalid
 */
export function loadConfig(): Promise<AppConfig> {
  configPromise ??= readConfig().then(
    (config) => {
      loadedConfig.setState(config)
      return config
    },
    (error: unknown) => {
      configPromise = undefined
      throw error
    },
  )
  return configPromise
}

/** Sets the models to choose from, where the configuration leaves them to the model's server. */
export function setModels(models: readonly PublicModel[]): void {
  const config = loadedConfig.getState()
  if (config) loadedConfig.setState({ ...config, models })
}

/** The configuration; undefined until it is loaded, or when it is missing. */
export const useConfig = (): AppConfig | undefined => useStore(loadedConfig)

/** The names of the brand and the assistant; the defaults until the configuration is loaded. */
export function useBrand(): Pick<AppConfig, 'brandName' | 'assistantName'> {
  return useConfig() ?? defaultBrand
}

/** What users call an identity provider; its name in the user pool until the configuration is loaded, or after it was removed. */
export const getProviderLabel = (name: string): string =>
  getIdentityProviders().find((provider) => provider.name === name)?.label ?? name

/** The identity providers of the operator; none until the configuration is loaded. */
export const getIdentityProviders = (): readonly PublicIdentityProvider[] =>
  loadedConfig.getState()?.identityProviders ?? []

/** The minimum password length, or the default until the configuration is loaded. */
export function getMinPasswordCharacters(): number {
  return loadedConfig.getState()?.minPasswordCharacters ?? minPasswordCharacters
}

async function readConfig(): Promise<AppConfig> {
  try {
    const response = await fetch('/config.json', {
      cache: 'no-cache',
      signal: AbortSignal.timeout(defaultTimeoutMs),
    })
    if (!response.ok) throw new ConfigError(`config.json answered ${response.status}`)
    return parseConfig(await response.json())
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError('config.json could not be read', { cause: error })
  }
}

const signUpModes: readonly unknown[] = ['open', 'closed', 'domains'] satisfies SignUpMode[]

const requiredTextKeys = [
  'region',
  'userPoolId',
  'userPoolClientId',
  'assistantName',
  'brandName',
  'version',
] as const
const optionalUrlKeys = ['userPoolEndpoint', 'oauthDomain', 'appsOrigin'] as const
const switchKeys = ['googleSignIn', 'passwordSignIn', 'sharing', 'dictation', 'writesTitles'] as const

/**
 * Validates config.json by hand: a validator library would be a sixth of the first page.
 * @throws ConfigError naming an invalid field
 */
export function parseConfig(value: unknown): AppConfig {
  if (!isRecord(value)) throw new ConfigError('config.json is no object')
  const { demo, identityProviders, mailbox, minPasswordCharacters: minCharacters, models, signUp } = value
  const checks = {
    signUp: signUpModes.includes(signUp),
    minPasswordCharacters: minCharacters === undefined || Number.isInteger(minCharacters),
    identityProviders: identityProviders === undefined || isProviderList(identityProviders),
    models: models === undefined || Array.isArray(models),
    mailbox: mailbox === undefined || isPath(mailbox),
    demo: isRecord(demo) && typeof demo.model === 'boolean' && typeof demo.providers === 'boolean',
  }
  const invalidKey =
    requiredTextKeys.find((key) => typeof value[key] !== 'string' || value[key] === '') ??
    optionalUrlKeys.find((key) => value[key] !== undefined && !isUrl(value[key])) ??
    switchKeys.find((key) => value[key] !== undefined && typeof value[key] !== 'boolean') ??
    Object.entries(checks).find(([, isValid]) => !isValid)?.[0]
  if (invalidKey) throw new ConfigError(`config.json: ${invalidKey}`)
  return value as unknown as AppConfig
}

function isUrl(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value)
}

/** `//host` and `/\host` point to another origin. */
function isPath(value: unknown): boolean {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value)
}

function isProviderList(value: unknown): boolean {
  const isText = (text: unknown) => typeof text === 'string' && text !== ''
  return (
    Array.isArray(value) &&
    value.every(
      (provider: unknown) =>
        isRecord(provider) &&
        isText(provider['name']) &&
        isText(provider['label']) &&
        Array.isArray(provider['domains']) &&
        provider['domains'].every(isText),
    )
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
