import { queryPage } from './dynamodb/query.ts'
import type { Table } from './dynamodb/table.ts'
import { updateIf } from './dynamodb/update-row.ts'
import { logger } from './telemetry/logger.ts'

const hourMs = 3_600_000
const keptSeconds = 400 * 86_400
/** Users that a function remembers. Beyond this it forgets all. */
const maxRemembered = 10_000

/** Among a user's counters, so that it goes with the account. */
const sortKey = 'seen'
const toPartition = (sub: string) => `RATE#${sub}`

/** When users were last active, by the hour: whoever is has got tokens in it, because tokens last for a quarter of one. */
export const lastActivity = (table: Table) => {
  const hours = new Map<string, number>()
  return {
    /** Writes at most once an hour. A failure is logged: nobody is kept out by it. */
    async note(sub: string, nowMs: number): Promise<void> {
      const hour = Math.floor(nowMs / hourMs)
      if (hours.get(sub) === hour) return
      if (hours.size >= maxRemembered) hours.clear()
      hours.set(sub, hour)
      const key = { PK: toPartition(sub), SK: sortKey }
      try {
        await updateIf(table, key, {
          update: 'SET #hour = :hour, #ttl = :ttl',
          condition: 'attribute_not_exists(#hour) OR #hour < :hour',
          values: { ':hour': hour, ':ttl': Math.floor(nowMs / 1000) + keptSeconds },
        })
      } catch (error) {
        hours.delete(sub)
        logger.warn('the last activity of a user could not be stored', { error })
      }
    },

    /** @returns the beginning of the hour, ISO 8601; undefined if it is not known */
    async find(sub: string): Promise<string | undefined> {
      try {
        const query = { partition: toPartition(sub), prefix: sortKey, limit: 1 }
        const hour = (await queryPage(table, query)).rows[0]?.['hour']
        const date = new Date(typeof hour === 'number' ? hour * hourMs : NaN)
        return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
      } catch (error) {
        logger.warn('the last activity of a user could not be read', { error })
        return undefined
      }
    },
  }
}
