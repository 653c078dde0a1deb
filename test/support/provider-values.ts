import { findProvider } from '../../functions/providers/built-in.ts'

/** Credentials that the doubles accept, by field. */
export const credentialsFor = (providerId: string): Record<string, string> =>
  Object.fromEntries(
    (findProvider(providerId)?.apiKey?.fields ?? []).map(({ name }) => [name, `right-${name}`]),
  )

/** Values for the parts of a provider's address that differ per tenant. */
export const parametersFor = (providerId: string): Record<string, string> =>
  Object.fromEntries(
    (findProvider(providerId)?.addressParameters ?? [])
      .filter(({ optional }) => !optional)
      .map(({ name, example }) => [name, /^[\w-]+/.exec(example)?.[0] ?? 'example']),
  )
