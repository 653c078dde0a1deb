import { NetworkError } from '../../lib/api-errors.ts'
import { configureAuth } from '../../lib/configure-auth.ts'

type AmplifyAuth = typeof import('../../lib/amplify-auth.ts')

/** Loads and configures Amplify. @throws ConfigError, or NetworkError if its code does not load */
export async function loadAmplifyAuth(): Promise<AmplifyAuth> {
  const [amplifyAuth] = await Promise.all([
    import('../../lib/amplify-auth.ts').catch(throwNetworkError),
    configureAuth(),
  ])
  return amplifyAuth
}

function throwNetworkError(cause: unknown): never {
  throw new NetworkError({ cause })
}
