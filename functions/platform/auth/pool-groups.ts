import {
  AdminListGroupsForUserCommand,
  type CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider'
import { fromPoolGroupName } from '#shared/group-names.ts'
import { throwPoolError } from './pool-accounts.ts'

/** The limit of the pool for one page of a list. */
const maxListedGroups = 60

/** The groups of accounts: in a module of its own, because few functions may ask for them. */
export const poolGroups = (UserPoolId: string, client: Pick<CognitoIdentityProviderClient, 'send'>) => {
  /** Cognito makes a group for each identity provider, named after the pool. */
  const isCreatedByCognito = (name: string) => name.startsWith(`${UserPoolId}_`)

  return {
    isCreatedByCognito,

    /** Names of an account's groups in the pool. @throws AccountNotFound, UserPoolUnavailable */
    async listGroups(Username: string): Promise<string[]> {
      const names: string[] = []
      let NextToken: string | undefined
      do {
        const page = await client
          .send(
            new AdminListGroupsForUserCommand({ UserPoolId, Username, Limit: maxListedGroups, NextToken }),
          )
          .catch(throwPoolError)
        names.push(...(page.Groups ?? []).map(({ GroupName = '' }) => fromPoolGroupName(GroupName)))
        NextToken = page.NextToken
      } while (NextToken !== undefined)
      return names.filter((name) => !isCreatedByCognito(name)).toSorted()
    },
  }
}
