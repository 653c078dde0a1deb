import { configureSession } from '../../lib/auth-tokens.ts'

type Flows = typeof import('./amplify-auth.ts')

/** The sign-in library, ready to be used. @throws ConfigError, or a load error that counts as no answer */
export async function loadFlows(): Promise<Flows> {
  const [flows] = await Promise.all([import('./amplify-auth.ts').catch(noAnswer), configureSession()])
  return flows
}

function noAnswer(cause: unknown): never {
  throw Object.assign(new Error('a part of the page could not be loaded', { cause }), {
    name: 'NetworkError',
  })
}
