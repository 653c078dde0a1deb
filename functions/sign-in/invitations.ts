import { createHash } from 'node:crypto'
import * as z from 'zod'
import { foldEmail } from '#shared/user-pool.ts'
import { queryAll } from '../platform/dynamodb/query.ts'
import { readRow, putRow, deleteRow, takeRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { updateIf } from '../platform/dynamodb/update-row.ts'

const invitation = z.object({
  email: z.string(),
  groups: z.array(z.string()).default([]),
  /** when the last mail was sent, ISO 8601 */
  sent_at: z.string().nullable().default(null),
  /** of the secret in the last mail; absent without a mail, and once it was used */
  secret_hash: z.string().optional(),
  /** seconds */
  ttl: z.number(),
})
export type Invitation = z.output<typeof invitation>

/** SHA-256 in hex: the table has no secret that could be redeemed. */
export const hashInvitationSecret = (secret: string): string =>
  createHash('sha256').update(secret).digest('hex')

/** All invitations are in one partition, so that they can be listed. */
export const invitationPartition = 'INVITES'

/** The id of an invitation; a hash instead of the e-mail address. */
export const invitationId = (email: string): string =>
  createHash('sha256').update(foldEmail(email)).digest('hex')

const keyById = (id: string) => ({ PK: invitationPartition, SK: id })

export const invitationKey = (email: string) => keyById(invitationId(email))

/**
 * @returns undefined if the row is missing or has expired: the table deletes expired rows late
 */
export function readInvitation(row: unknown, nowMs: number): Invitation | undefined {
  const parsed = invitation.safeParse(row)
  return parsed.success && parsed.data.ttl > nowMs / 1000 ? parsed.data : undefined
}

/**
 * Uses the secret of a mailed invitation up.
 * @returns whether it is that of this very address, was not used before, and has not expired
 */
export const redeemSecret = async (
  table: Table,
  { email, secret, nowMs }: { email: string; secret: string; nowMs: number },
): Promise<boolean> =>
  updateIf(table, invitationKey(email), {
    update: 'REMOVE #secret_hash',
    condition: '#secret_hash = :hash AND #ttl > :now',
    values: { ':hash': hashInvitationSecret(secret), ':now': nowMs / 1000 },
  })

/** Whether an e-mail address has a valid invitation. */
export const isInvited = async (table: Table, email: string, nowMs: number): Promise<boolean> =>
  readInvitation(await readRow(table, invitationKey(email)), nowMs) !== undefined

/** The groups that the account of an invited person gets; none if there is no valid invitation. */
export const findInvitedGroups = async (table: Table, email: string, nowMs: number): Promise<string[]> =>
  readInvitation(await readRow(table, invitationKey(email)), nowMs)?.groups ?? []

/**
 * Deletes an invitation; can be repeated.
 * @returns the invitation, if there was a valid one
 */
export const redeemInvitation = async (table: Table, email: string): Promise<Invitation | undefined> =>
  readInvitation(await takeRow(table, invitationKey(email)), Date.now())

/** Invitations for those who write and list them. */
export const invitationRepository = (table: Table) => {
  return {
    /** Invites an address, or gives its invitation other groups and another end. */
    save: (values: Invitation): Promise<void> => putRow(table, { ...invitationKey(values.email), ...values }),

    find: async (id: string, nowMs: number): Promise<Invitation | undefined> =>
      readInvitation(await readRow(table, keyById(id)), nowMs),

    /** Lists the valid invitations, the first to expire first. */
    async list(nowMs: number): Promise<Invitation[]> {
      const rows = await queryAll(table, { partition: invitationPartition })
      return rows
        .flatMap((row) => readInvitation(row, nowMs) ?? [])
        .toSorted((one, other) => one.ttl - other.ttl)
    },

    /**
     * Changes an invitation that is still there: one that was revoked or redeemed meanwhile must not come back.
     * @returns whether it is there
     */
    change: (
      email: string,
      fields: Partial<Pick<Invitation, 'sent_at' | 'ttl' | 'secret_hash'>>,
    ): Promise<boolean> =>
      updateIf(table, invitationKey(email), {
        update: `SET ${Object.keys(fields)
          .map((name) => `#${name} = :${name}`)
          .join(', ')}`,
        condition: 'attribute_exists(PK)',
        values: Object.fromEntries(Object.entries(fields).map(([name, value]) => [`:${name}`, value])),
      }),

    remove: (id: string): Promise<void> => deleteRow(table, keyById(id)),
  }
}

export type InvitationRepository = ReturnType<typeof invitationRepository>
