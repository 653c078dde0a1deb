import * as z from 'zod'
import type { Profile } from '#shared/contracts/account.ts'
import { readRow, createRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { type PartialFields, setFields } from '../platform/dynamodb/update-row.ts'

const key = (sub: string) => ({ PK: `U#${sub}`, SK: 'PROFILE' })

const row = z.object({ display_name: z.string().default(''), avatar_id: z.string().nullable().default(null) })

/** Name and picture of a user. They live here and not in the user pool, where Google would rewrite them. */
export const profileRepository = (table: Table) => ({
  /** @returns undefined until the profile is created, when the account is first read */
  async find(sub: string): Promise<Profile | undefined> {
    const item = await readRow(table, key(sub))
    return item && row.parse(item)
  },

  /** Creates the profile of a new user; an existing one stays unchanged. @returns whether it was created */
  create: (sub: string, profile: Profile): Promise<boolean> => createRow(table, { ...key(sub), ...profile }),

  /** Changes the given fields. @param seen texts that the caller has seen @returns false if another one is stored */
  update: (
    sub: string,
    update: PartialFields<Profile>,
    seen?: { display_name?: string | undefined },
  ): Promise<boolean> => setFields(table, key(sub), update, seen),
})

export type ProfileRepository = ReturnType<typeof profileRepository>
