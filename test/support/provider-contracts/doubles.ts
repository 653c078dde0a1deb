import { added, json } from '../../../infra/local/doubles/providers/http.ts'
import { findAuthorizationProblem, findTokenProblem } from './authorization.ts'
import { parseBehaviour } from './behaviour.ts'
import { checkResponse, refuseRequest } from './check.ts'
import type { Contract } from './contract.ts'
import { contracts } from './index.ts'

const findContract = (provider: string): Contract | undefined =>
  Object.hasOwn(contracts, provider) ? contracts[provider] : undefined

/*
 * The doubles of providers with their contracts: requests that a provider would refuse are refused, and a response that it would not send
 * is an error. It is loaded before the product, so that each product of the tests has it.
 */
added.rules = {
  findBehaviour: parseBehaviour,
  findAuthorizationProblem: (provider, query) => findAuthorizationProblem(findContract(provider), query),
  findTokenProblem: (provider, ...request) => findTokenProblem(findContract(provider), ...request),
  refuseRequest(provider, request, scopes) {
    const contract = findContract(provider)
    if (!contract) return json(404, { error: 'no contract of this provider' })
    return refuseRequest(contract, request, scopes)
  },
  checkResponse(provider, request, response) {
    const contract = findContract(provider)
    if (contract) checkResponse(contract, request, response)
  },
}

export {
  startProviderDoubles,
  writeOverrides,
  type ProviderDoubles,
} from '../../../infra/local/doubles/providers/server.ts'
