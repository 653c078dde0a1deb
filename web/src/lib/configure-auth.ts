import { cognitoUserPoolsTokenProvider as provider } from '@aws-amplify/auth/cognito'
import { Amplify, ConsoleLogger } from '@aws-amplify/core'
import { hasRefusal } from '#shared/has-refusal.ts'
import { emitSignOut } from './auth-events.ts'
import { loadConfig, type AppConfig } from './config.ts'
import { listStoredKeys, writeStored } from './storage.ts'

/**
 * Runs work that writes or clears the tokens while no other tab does. Never call signIn, getCurrentUser or fetchAuthSession inside: they
 * take the same lock and would wait forever.
 */
export function withTokenLock<Result>(work: () => Promise<Result>): Promise<Result> {
  return navigator.locks.request('auth-tokens', work)
}

/** The access token in the storage; empty without one. */
export async function loadStoredAccessToken(): Promise<string> {
  return String((await provider.authTokenStore.loadTokens())?.accessToken ?? '')
}

const keyPrefix = 'CognitoIdentityServiceProvider.'

/** The keys in the local storage under which Amplify has tokens and users. */
export const listTokenKeys = (): string[] => listStoredKeys('local', keyPrefix)

/** The session storage key of the user pool's message about an account that it refused, for the sign-in page. */
export const refusalKey = 'juno.account-refused'

let areTokensHidden = false

/**
 * Lets a signed-in user sign in again. Amplify refuses to sign in while it finds tokens; it looks for them synchronously, so no other
 * caller is affected.
 */
export function withHiddenTokens<Result>(signIn: () => Promise<Result>): Promise<Result> {
  areTokensHidden = true
  try {
    return signIn()
  } finally {
    areTokensHidden = false
  }
}

/**
 * Provides tokens to Amplify, with one refresh at a time across all tabs: refresh tokens rotate, so two at once would end the sign-in. A forced
 * refresh that waited for another tab uses that tab's result.
 */
const tokenProvider = {
  async getTokens(options: { forceRefresh?: boolean } = {}) {
    if (areTokensHidden) return null
    const before = await loadStoredAccessToken()
    return withTokenLock(async () => {
      const forceRefresh = options.forceRefresh === true && (await loadStoredAccessToken()) === before
      return provider.getTokens({ ...options, forceRefresh }).catch(endRefusedSession)
    })
  },
}

/** Ends a session whose account the token trigger rejects. Amplify takes that for a temporary failure, and would retry for ever. */
async function endRefusedSession(error: Error): Promise<null> {
  if (!hasRefusal(error.message)) throw error
  writeStored('session', refusalKey, error.message)
  await provider.authTokenStore.clearTokens()
  emitSignOut('expired')
  // as Amplify answers for tokens that were refused
  return null
}

let configPromise: Promise<AppConfig> | undefined

/**
 * Loads the configuration and configures Amplify, once. A failure is retried by the next call.
 * @throws ConfigError
 */
export function configureAuth(): Promise<AppConfig> {
  configPromise ??= loadConfig()
    .then(configure)
    .catch((error: unknown) => {
      configPromise = undefined
      throw error
    })
  return configPromise
}

function configure(config: AppConfig): AppConfig {
  // Amplify warns about a custom user pool endpoint on each load
  ConsoleLogger.LOG_LEVEL = 'ERROR'
  const Auth = {
    Cognito: {
      userPoolId: config.userPoolId,
      userPoolClientId: config.userPoolClientId,
      ...(config.userPoolEndpoint !== undefined && { userPoolEndpoint: config.userPoolEndpoint }),
    },
  }
  provider.setAuthConfig(Auth)
  Amplify.configure({ Auth }, { Auth: { tokenProvider } })
  return config
}
