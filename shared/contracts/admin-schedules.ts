import * as z from 'zod'
import { cursor } from '#shared/contracts/admin.ts'
import { runStatuses } from '#shared/contracts/schedules.ts'

/** The schedules of a person: how many, and never what they say. */
const personSchedules = z.object({
  /** the `sub` */
  id: z.string(),
  email: z.string(),
  count: z.number().int(),
  /** of them: those that do not run by themselves, for whatever reason */
  paused: z.number().int(),
  /** of the paused ones: those that only an administrator lets go on */
  paused_by_administrator: z.number().int(),
  /** an administrator has paused all of them, also those to come */
  held: z.boolean().optional(),
  /** the newest of all of them; absent: none has run yet */
  last_run: z.object({ at: z.string(), status: z.enum(runStatuses) }).optional(),
})
export type PersonSchedules = z.infer<typeof personSchedules>
const personResponse = z.object({ person: personSchedules })

/** Of the function 'account', which reaches the rows of users. */
export const adminScheduleContracts = {
  /** Those who have any, or whose schedules are held. A page may be empty although others follow. */
  'admin.schedules': {
    query: z.object({ cursor: cursor.optional() }),
    response: z.object({ people: z.array(personSchedules), next_cursor: z.string().nullable() }),
  },
  'admin.pauseSchedules': { response: personResponse },
  'admin.resumeSchedules': { response: personResponse },
} as const
