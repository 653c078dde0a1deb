import { configureAuth } from '../../lib/configure-auth.ts'

type AmplifyAuth = typeof import('../../lib/amplify-auth.ts')

/** Loads and configures Amplify. @throws ConfigError, or a NetworkError if its code does not load */
export async function loadAmplifyAuth(): Promise<AmplifyAuth> {
  const [amplifyAuth] = await Promise.all([
    import('../../lib/amplify-auth.ts').catch(throwNetworkError),
    configureAuth(),
  ])
  return amplifyAuth
}

function throwNetworkError(cause: unknown): never {
  throw Object.assign(new Error('a part of the page could not be loaded', { cause }), {
    name: 'NetworkError',
  })
}
