import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod'
import type { Profile } from '#shared/contracts/account.ts'
import type { Table } from '../platform/table.ts'

const key = (sub: string) => ({ PK: `U#${sub}`, SK: 'PROFILE' })

const row = z.object({ display_name: z.string().default(''), avatar_id: z.string().nullable().default(null) })

/** Name and picture of a user. They live here and not in the user pool, where Google would rewrite them (DEC-117). */
export const profileRepository = ({ client, name: TableName }: Table) => ({
  /** undefined until the profile was made, which the account's first reading does */
  async find(sub: string): Promise<Profile | undefined> {
    const { Item } = await client.send(new GetCommand({ TableName, Key: key(sub), ConsistentRead: true }))
    return Item && row.parse(Item)
  },

  /** Makes the profile of a new user; one that is there already stays. @returns whether it was made */
  async create(sub: string, profile: Profile): Promise<boolean> {
    try {
      await client.send(
        new PutCommand({
          TableName,
          Item: { ...key(sub), ...profile },
          ConditionExpression: 'attribute_not_exists(PK)',
        }),
      )
      return true
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false
      throw error
    }
  },

  /** Changes the fields given. @returns the profile before and after */
  async change(
    sub: string,
    change: { [Field in keyof Profile]?: Profile[Field] | undefined },
  ): Promise<{ before: Profile; after: Profile }> {
    const given = Object.entries(change).filter(([, value]) => value !== undefined)
    if (given.length === 0) {
      const now = (await this.find(sub)) ?? row.parse({})
      return { before: now, after: now }
    }
    const { Attributes } = await client.send(
      new UpdateCommand({
        TableName,
        Key: key(sub),
        UpdateExpression: `SET ${given.map(([field]) => `#${field} = :${field}`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(given.map(([field]) => [`#${field}`, field])),
        ExpressionAttributeValues: Object.fromEntries(given.map(([field, value]) => [`:${field}`, value])),
        ReturnValues: 'ALL_OLD',
      }),
    )
    const before = row.parse(Attributes ?? {})
    return { before, after: row.parse({ ...before, ...Object.fromEntries(given) }) }
  },
})

export type ProfileRepository = ReturnType<typeof profileRepository>
