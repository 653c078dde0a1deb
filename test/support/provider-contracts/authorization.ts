import type { Contract } from './contract.ts'

const standardParameters = ['response_type', 'client_id', 'redirect_uri', 'state', 'scope']
const pkceParameters = ['code_challenge', 'code_challenge_method']
const standardTokenParameters = [
  'grant_type',
  'code',
  'redirect_uri',
  'refresh_token',
  'client_id',
  'client_secret',
]

const findUnknown = (names: Iterable<string>, known: readonly string[]) =>
  [...names].find((name) => !known.includes(name))

/** The scopes that a provider publishes for the operations in use, and for sign-in itself. */
export const listScopes = ({ operations, oauth }: Contract): string[] => [
  ...Object.values(operations).flatMap(({ scopes = [] }) => scopes),
  ...(oauth?.scopes ?? []),
]

/** @returns what is wrong with an authorization request; undefined for a valid one, and for other authorization servers */
export function findAuthorizationProblem(
  contract: Contract | undefined,
  query: URLSearchParams,
): string | undefined {
  const published = contract?.oauth
  if (!published) return undefined
  const { parameters = [], pkce = false } = published
  const unknown = findUnknown(query.keys(), [
    ...standardParameters,
    ...parameters,
    ...(pkce ? pkceParameters : []),
  ])
  if (unknown !== undefined) return `The parameter ${unknown} is not known.`
  const requested = (query.get('scope') ?? '').split(/[ ,]+/).filter((scope) => scope !== '')
  const scope = findUnknown(requested, listScopes(contract))
  return scope === undefined ? undefined : `The scope ${scope} is not known.`
}

/** @returns the error code of RFC 6749 for a token request; undefined for a valid one, and for other authorization servers */
export function findTokenProblem(
  contract: Contract | undefined,
  form: URLSearchParams,
  authorizationHeader: string | undefined,
): 'invalid_request' | 'invalid_client' | undefined {
  const published = contract?.oauth
  if (!published) return undefined
  const { tokenParameters = [], pkce = false, clientAuth } = published
  const known = [...standardTokenParameters, ...tokenParameters, ...(pkce ? ['code_verifier'] : [])]
  if (findUnknown(form.keys(), known) !== undefined) return 'invalid_request'
  const hasAuthorizationHeader = authorizationHeader !== undefined
  const hasSecretElsewhere = clientAuth === 'basic' ? form.has('client_secret') : hasAuthorizationHeader
  return hasSecretElsewhere ? 'invalid_client' : undefined
}
