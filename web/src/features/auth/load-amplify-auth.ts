import { configureAuth } from '../../lib/auth-tokens.ts'

type AmplifyAuth = typeof import('./amplify-auth.ts')

/** The sign-in library, ready to be used. @throws ConfigError, or a load error that counts as no answer */
export async function loadAmplifyAuth(): Promise<AmplifyAuth> {
  const [flows] = await Promise.all([import('./amplify-auth.ts').catch(throwNetworkError), configureAuth()])
  return flows
}

function throwNetworkError(cause: unknown): never {
  throw Object.assign(new Error('a part of the page could not be loaded', { cause }), {
    name: 'NetworkError',
  })
}
