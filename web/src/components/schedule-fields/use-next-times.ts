import { useQuery } from '@tanstack/react-query'
import type { Rule } from '#shared/contracts/schedules.ts'
import { useNow } from '../../lib/browser/use-now.ts'

/** How many times are shown. */
const maxTimes = 3

/**
 * The next times of a rule, in milliseconds since 1970: fewer if it ends before. The code of time zones loads with the first use.
 * @returns undefined while they are not known
 */
export function useNextTimes(rule: Rule | undefined, timeZone: string): readonly number[] | undefined {
  const { data: module } = useQuery({
    queryKey: ['schedule-times'],
    queryFn: async () => ({ nextTimes: (await import('#shared/schedule-times.ts')).nextTimes }),
    staleTime: Infinity,
  })
  const now = useNow().getTime()
  if (!rule || !module) return undefined
  try {
    return module.nextTimes(rule, timeZone, now, maxTimes)
  } catch {
    // a zone that this browser does not know, or a day that does not exist
    return undefined
  }
}
