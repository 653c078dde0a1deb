import { mailLanguageKey } from '#shared/user-pool.ts'
import { NetworkError } from '../api/api-errors.ts'
import { loadConfig } from '../api/config.ts'
import { language } from '../text/locale.ts'

/** Metadata of requests to the user pool. It makes the service write its mails in the language of the page. */
export const mailMetadata = { [mailLanguageKey]: language }

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
