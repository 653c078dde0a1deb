import { CognitoIdentityProviderClient, ListGroupsCommand } from '@aws-sdk/client-cognito-identity-provider'
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import { expect, it } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { openTable } from '../platform/dynamodb/table.ts'
import { groupDirectory } from './group-directory.ts'

const cognito = mockClient(CognitoIdentityProviderClient)
const table = mockClient(DynamoDBDocumentClient)

/** The counts of groups, and how many pages of members were read for them. @param sizes of the groups */
async function countMembers(sizes: readonly number[]) {
  cognito
    .on(ListGroupsCommand)
    .resolves({ Groups: sizes.map((_, index) => ({ GroupName: String(index).padStart(3, '0') })) })
  table.on(GetCommand).resolves({})
  let pages = 0
  const groups = groupDirectory({
    table: openTable('table'),
    userPoolId: 'pool',
    client: new CognitoIdentityProviderClient({}),
    users: {
      isCreatedByCognito: () => false,
      async *listMembers(name) {
        for (let left = sizes[Number(name)] ?? 0; left >= 0; left -= 60) {
          pages += 1
          yield Array.from({ length: Math.min(left, 60) }, (_, index) => String(index))
        }
      },
    },
  })
  const counts = (await groups.list()).map(({ members }) => members)
  return { counts, pages }
}

it('of a few groups those of up to a thousand members are counted', async () => {
  expect((await countMembers([0, 60, 1_000, 1_001, 10_000])).counts).toEqual([0, 60, 1_000, null, null])
})

it('of many groups the small ones are, with as many requests as the user pool answers in time', async () => {
  const { counts, pages } = await countMembers([3, 60, ...Array.from({ length: 98 }, () => 10_000)])
  expect(counts).toEqual([3, 60, ...Array.from({ length: 98 }, () => null)])
  expect(pages).toBeLessThanOrEqual(200)
})
