/** Values that a metric has in consecutive periods of an alarm, oldest first; an empty list: nothing was measured in that period. */
export type Periods = readonly (readonly number[])[]

/** What must raise an alarm, and what must not. */
export interface AlarmCase {
  /** by id of the metric in an expression; of an alarm without one there is a single metric */
  readonly raises: readonly (Periods | Readonly<Record<string, Periods>>)[]
  readonly leaves: readonly (Periods | Readonly<Record<string, Periods>>)[]
  /** the state when nothing was ever measured */
  readonly unmeasured: 'OK' | 'ALARM' | 'unchanged'
}

const times = (count: number, values: readonly number[]): Periods =>
  Array.from({ length: count }, () => values)

/** A row for each alarm of the product, by the end of its name. Account quota of concurrency: 1,000. */
export const alarmCases: Readonly<Record<string, AlarmCase>> = {
  ChatErrors: { raises: [[[0, 1]]], leaves: [[[0, 0]], [[1], [0]], [[1], [], [], []]], unmeasured: 'OK' },
  ChatThrottles: { raises: [[[1]]], leaves: [[[0]]], unmeasured: 'OK' },
  ServerErrors: { raises: [[[1, 1, 1]]], leaves: [[[1, 1]], [[1], [1], [1]]], unmeasured: 'OK' },
  // one of each reply: 1 if it failed
  FailedReplies: { raises: [[[1, 0, 1, 1, 1, 1]]], leaves: [[[1, 1, 1, 1, 0]]], unmeasured: 'OK' },
  SiteBudgetNear: { raises: [[[12, 80]]], leaves: [[[79, 79.9]]], unmeasured: 'OK' },
  SlowFirstToken: {
    raises: [[[10_000, 12_000, 5], [10_000]]],
    // half of them, and in both periods
    leaves: [
      [[20_000], [9_999]],
      [[20_000, 900, 900], [20_000]],
      [[20_000], []],
    ],
    unmeasured: 'OK',
  },
  FailedRefreshes: {
    raises: [times(1, Array<number>(10).fill(1))],
    leaves: [[Array<number>(9).fill(1)]],
    unmeasured: 'OK',
  },
  RefreshBacklog: {
    raises: [times(6, [1])],
    // one run that came to its end
    leaves: [
      [...times(5, [1]), [1, 0]],
      [...times(5, [1]), []],
    ],
    unmeasured: 'OK',
  },
  SignInsFail: { raises: [[[1, 1, 1]]], leaves: [[[1, 1]]], unmeasured: 'OK' },
  RegistryStale: { raises: [[[172_800]]], leaves: [[[172_799]]], unmeasured: 'unchanged' },
  SchedulesLate: {
    // late runs; a dispatcher that runs no more
    raises: [{ lag: [[300], [2, 301]] }, { lag: [[0], [0], [], []] }, { lag: [[0], [300], []] }],
    leaves: [{ lag: [[299], [400]] }, { lag: [[400], [0]] }, { lag: [[], [], [4]] }],
    unmeasured: 'ALARM',
  },
  FailedEventsWaiting: { raises: [[[0, 1]]], leaves: [[[0]]], unmeasured: 'OK' },
  TableThrottles: { raises: [[[4, 6]]], leaves: [[[4, 5]]], unmeasured: 'OK' },
  ConcurrencyNearLimit: {
    raises: [{ running: times(3, [12, 800]), claimed: times(3, [12, 800]) }],
    leaves: [
      { running: times(3, [799]), claimed: times(3, [799]) },
      { running: [[900], [900], [1]], claimed: [[900], [900], [1]] },
      { running: [[900], [], [900]], claimed: [[900], [], [900]] },
    ],
    unmeasured: 'OK',
  },
  // 1: some checker reaches the site
  SiteUnreachable: { raises: [[[0], [1, 0], [0]]], leaves: [[[0], [0], [1]]], unmeasured: 'ALARM' },
}
