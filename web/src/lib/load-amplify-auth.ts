import { NetworkError } from './api-errors.ts'
import { loadConfig } from './config.ts'

type AmplifyAuth = typeof import('./amplify-auth.ts')

/** Loads and configures Amplify. @throws ConfigError, or NetworkError if its code does not load */
export async function loadAmplifyAuth(): Promise<AmplifyAuth> {
  const [amplifyAuth, config] = await Promise.all([
    import('./amplify-auth.ts').catch(throwNetworkError),
    loadConfig(),
  ])
  amplifyAuth.configureAmplify(config)
  return amplifyAuth
}

function throwNetworkError(cause: unknown): never {
  throw new NetworkError({ cause })
}
