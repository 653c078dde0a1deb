import { expect, it } from 'vitest'
import { builtInProviders } from '../../functions/providers/built-in.ts'
import {
  findAuthorizationProblem,
  findTokenProblem,
  listScopes,
} from '../support/provider-contracts/authorization.ts'
import { contracts } from '../support/provider-contracts/index.ts'

const providers = builtInProviders.flatMap(({ id, oauth }) => {
  const contract = contracts[id]
  return oauth && contract ? [{ id, oauth, contract }] : []
})
const pkceParams = { code_challenge: 'x', code_challenge_method: 'S256' }

it('CAP-01 what is published of a sign-in is recorded for every provider that has one', () => {
  expect(providers.length).toBeGreaterThan(20)
  expect(providers.filter(({ contract }) => !contract.oauth)).toEqual([])
})

it.each(providers)(
  'CAP-01 $id requests the scopes of its operations, and no other',
  ({ oauth, contract }) => {
    expect(listScopes(contract)).toEqual(expect.arrayContaining(oauth.scopes))
    // each operation is opened by one that is requested
    for (const { scopes } of Object.values(contract.operations))
      expect(scopes === undefined || scopes.some((scope) => oauth.scopes.includes(scope))).toBe(true)
  },
)

it.each(providers)(
  'the double of $id accepts the parameters of its sign-in, and no other',
  ({ oauth, contract }) => {
    const query = {
      ...oauth.authParams,
      response_type: 'code',
      client_id: 'demo',
      redirect_uri: 'http://127.0.0.1:4000/oauth/callback',
      state: 'x',
      ...(oauth.scopes.length > 0 && { scope: oauth.scopes.join(oauth.scopeSeparator) }),
      ...(oauth.pkce !== 'unsupported' && pkceParams),
    }
    const findProblem = (more: object) =>
      findAuthorizationProblem(contract, new URLSearchParams({ ...query, ...more }))
    expect(findProblem({})).toBeUndefined()
    expect(findProblem({ invented: '1' })).toBe('The parameter invented is not known.')
    expect(findProblem({ scope: 'invented:read' })).toBe('The scope invented:read is not known.')
    expect(findProblem(pkceParams)).toBe(
      oauth.pkce === 'unsupported' ? 'The parameter code_challenge is not known.' : undefined,
    )
  },
)

it.each(providers)(
  'the double of $id accepts the client secret in the documented place',
  ({ oauth, contract }) => {
    const form = {
      ...oauth.tokenParams,
      grant_type: 'authorization_code',
      code: 'x',
      redirect_uri: 'http://127.0.0.1:4000/oauth/callback',
      ...(oauth.pkce !== 'unsupported' && { code_verifier: 'x' }),
    }
    const clientCredentials = { client_id: 'demo', client_secret: 'secret' }
    const findProblem = (more: object, authorization?: string) =>
      findTokenProblem(contract, new URLSearchParams({ ...form, ...more }), authorization)
    const [findInBody, findInHeader] = [
      () => findProblem(clientCredentials),
      () => findProblem({}, 'Basic x'),
    ]
    expect((oauth.clientAuth === 'basic' ? findInHeader : findInBody)()).toBeUndefined()
    expect((oauth.clientAuth === 'basic' ? findInBody : findInHeader)()).toBe('invalid_client')
    expect(findProblem({ ...clientCredentials, invented: '1' })).toBe('invalid_request')
  },
)

it('leaves other authorization servers alone', () => {
  const query = new URLSearchParams({ resource: 'x' })
  expect(findAuthorizationProblem(undefined, query)).toBeUndefined()
  expect(findTokenProblem(undefined, query, 'Basic x')).toBeUndefined()
})
