import * as z from 'zod'
import { readRow, putRow, deleteRow } from '../platform/dynamodb/rows.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { updateIf } from '../platform/dynamodb/update-row.ts'

/** An unfinished enrolment expires after this time. */
const pendingSeconds = 3_600

const enrolment = z.object({
  /** sealed */
  secret: z.string(),
  salt: z.string(),
  /** hashes of the unused backup codes; DynamoDB has no empty sets */
  codes: z.set(z.string()).default(new Set()),
})

const factorRow = enrolment.extend({
  /** keyed hash of the e-mail address */
  mailName: z.string(),
  /** the newest time step whose code was used here */
  lastStep: z.number().default(0),
  attemptId: z.string().optional(),
  attemptCode: z.string().optional(),
  attemptEndsAt: z.number().optional(),
  /** time of the sign-in that has proved the factor, and until when that counts, seconds */
  provenSession: z.number().optional(),
  provenUntil: z.number().optional(),
})

export type Enrolment = z.output<typeof enrolment>
/** The row of a finished enrolment. A factor is enabled if this row exists and Cognito prefers it. */
export type Factor = z.output<typeof factorRow>

/** One use of a backup code: a repeat with the same id and code gets the same response until it expires. */
export interface Attempt {
  readonly id: string
  readonly hash: string
  readonly endsAt: number
}

const factorKey = (sub: string) => ({ PK: `U#${sub}`, SK: 'MFA' })
const pendingKey = (sub: string) => ({ PK: `U#${sub}`, SK: 'MFA#NEW' })
const emailKey = (mailName: string) => ({ PK: `E#${mailName}`, SK: 'OWNER' })

const ownerRow = z.object({ sub: z.string() })

/** Rows of second factors. Secrets are encrypted before they get here. */
export const factorRepository = (table: Table) => {
  async function read(Key: Record<string, string>): Promise<Record<string, unknown> | undefined> {
    return readRow(table, Key)
  }
  const put = (Item: Record<string, unknown>) => putRow(table, Item)
  const remove = (Key: Record<string, string>) => deleteRow(table, Key)

  const change = (sub: string, update: string, condition: string, values: Record<string, unknown>) =>
    updateIf(table, factorKey(sub), { update, condition, values })

  return {
    async find(sub: string): Promise<Factor | undefined> {
      const item = await read(factorKey(sub))
      return item && factorRow.parse(item)
    },

    /** Finds the user with this e-mail address, by its keyed hash. */
    async findOwner(mailName: string): Promise<string | undefined> {
      const item = await read(emailKey(mailName))
      return item && ownerRow.parse(item).sub
    },

    async findPending(sub: string, nowMs: number): Promise<Enrolment | undefined> {
      const item = await read(pendingKey(sub))
      // TTL deletes late
      if (!item || Number(item['ttl']) <= nowMs / 1000) return undefined
      return enrolment.parse(item)
    },

    /** Starts an enrolment and drops an unfinished one. */
    async savePending(sub: string, enrolled: Enrolment, nowMs: number): Promise<void> {
      await put({ ...pendingKey(sub), ...enrolled, ttl: Math.floor(nowMs / 1000) + pendingSeconds })
    },

    /**
     * Turns an enrolment into the factor and assigns the address to it.
     * @param formerOwner whose factor the address may belong to until now
     * @returns false when the address belongs to another user's factor; then nothing is written
     */
    async activate(
      sub: string,
      enrolled: Enrolment & { mailName: string; lastStep: number },
      formerOwner = sub,
    ): Promise<boolean> {
      const isOwned = await updateIf(table, emailKey(enrolled.mailName), {
        update: 'SET #sub = :sub',
        condition: 'attribute_not_exists(PK) OR #sub = :sub OR #sub = :former',
        values: { ':sub': sub, ':former': formerOwner },
      })
      if (isOwned) await put({ ...factorKey(sub), ...enrolled })
      return isOwned
    },

    async removePending(sub: string): Promise<void> {
      await remove(pendingKey(sub))
    },

    /** Deletes all rows of the factor, the address first. Can be repeated. */
    async remove(sub: string): Promise<void> {
      const item = await read(factorKey(sub))
      if (item) {
        const { mailName } = factorRow.parse(item)
        const owner = await read(emailKey(mailName))
        if (owner && ownerRow.parse(owner).sub === sub) await remove(emailKey(mailName))
      }
      await remove(factorKey(sub))
      await remove(pendingKey(sub))
    },

    /** @returns false when the factor is gone */
    replaceCodes: (sub: string, { salt, codes }: Pick<Enrolment, 'salt' | 'codes'>): Promise<boolean> =>
      change(sub, 'SET salt = :salt, codes = :codes', 'attribute_exists(PK)', {
        ':salt': salt,
        ':codes': codes,
      }),

    /**
     * Uses a backup code up, in one conditional write: of concurrent attempts exactly one succeeds.
     * @returns false if there is no such code or user
     */
    useCode: (sub: string, { id, hash, endsAt }: Attempt): Promise<boolean> =>
      change(
        sub,
        'DELETE codes :one SET attemptId = :id, attemptCode = :hash, attemptEndsAt = :ends',
        'contains(codes, :hash)',
        { ':one': new Set([hash]), ':hash': hash, ':id': id, ':ends': endsAt },
      ),

    /** Uses the code of a time step up; steps before the newest used one are used up as well. @returns false if it was used */
    useStep: (sub: string, step: number): Promise<boolean> =>
      change(sub, 'SET lastStep = :step', 'attribute_exists(PK) AND lastStep < :step', { ':step': step }),

    /** Records that this sign-in has proved the factor. */
    recordStepUp: (
      sub: string,
      { signedInAt, until }: { signedInAt: number; until: number },
    ): Promise<boolean> =>
      change(sub, 'SET provenSession = :session, provenUntil = :until', 'attribute_exists(PK)', {
        ':session': signedInAt,
        ':until': until,
      }),
  }
}

export type FactorRepository = ReturnType<typeof factorRepository>
