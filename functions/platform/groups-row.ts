import * as z from 'zod'
import { groupLimits } from '#shared/contracts/admin.ts'

/** The key of the one row with the descriptions and limits of all groups. Members are in the user pool. */
export const groupsKey = { PK: 'GROUPS', SK: 'GROUPS' } as const

const storedGroup = z.object({ description: z.string(), limits: groupLimits, version: z.number().int() })
export type StoredGroup = z.output<typeof storedGroup>

/** `version` counts the changes of the row, for optimistic locking. */
export const groupsRow = z.object({
  version: z.number().int(),
  groups: z.record(z.string(), storedGroup),
})
export type GroupsRow = z.output<typeof groupsRow>
