/**
 * The product's use of AWS, as counted by `npm run bench -- units` on a laptop (docs/performance.md). Requests, units of the table and
 * bytes are the same there and on AWS; figures that could not be counted are under `assumed`, rather too high than too low.
 */

/** Usage of a turn by the length of its reply; values in between are interpolated. */
export interface TurnUnits {
  readonly seconds: number
  readonly writes: number
  readonly reads: number
  readonly streamedBytes: number
  /** size of the messages in the table, including DynamoDB's overhead per item */
  readonly storedBytes: number
  readonly logBytes: number
}

/** A turn that ends within two seconds, with a short message and reply; checked by test/api/turn-units.test.ts. */
export const shortTurnWrites = 9

/** In a conversation of ten messages: a message of 120 characters, a reply of 160 characters a second. */
export const turns: readonly TurnUnits[] = [
  // with a checkpoint, which is written and deleted
  {
    seconds: 2,
    writes: shortTurnWrites + 2,
    reads: 12.5,
    streamedBytes: 1_500,
    storedBytes: 981,
    logBytes: 1_020,
  },
  { seconds: 10, writes: 20, reads: 17, streamedBytes: 8_600, storedBytes: 2_021, logBytes: 1_020 },
  { seconds: 30, writes: 47, reads: 33, streamedBytes: 26_400, storedBytes: 4_621, logBytes: 1_021 },
]

/** Opening the page until its composer accepts text and everything else has loaded. */
export const visit = {
  /** calls, by function */
  calls: { Account: 1, Integrations: 2, Tools: 1 },
  writes: 4,
  reads: 19,
  logBytes: 2_480,
  /** with and without the browser's cache, which is empty on a first visit and after a new version */
  files: { known: 3, fresh: 60 },
  bytes: { known: 10_900, fresh: 1_105_000 },
} as const

/** A file of a message: counted in the code (presign, complete, analyse, one link). */
export const file = {
  calls: { Files: 3, Documents: 1 },
  /** functions that a function invokes and waits for */
  invocations: { DocumentParser: 1 },
  /** the browser's upload, the copy to its final key, the extracted text */
  objectWrites: 3,
  /** type check, extraction, prompt, download */
  objectReads: 4,
  writes: 8,
  reads: 6,
  logBytes: 1_200,
} as const

/**
 * The daily sync, for a registry of 10,000 entries that all change every day: their rows take 300 units when they are written, as many when
 * they are made permanent (`npm run bench -- registry`), and the deletion of older ones takes as many again.
 */
export const sync = { perMonth: 31, writes: 904, seconds: 30 } as const

/**
 * The daily refresh of idle connections, counted in the code: the lease, the tokens (a sealed set takes two units) and the index row; here
 * every connection is idle. Ten are refreshed at a time, each in a second. It runs each hour.
 */
export const connectionRefresh = {
  daysPerMonth: 31,
  perMonth: 31 * 24,
  seconds: 1,
  connection: { seconds: 0.1, writes: 5, reads: 6 },
} as const

/**
 * Looks each minute for runs that are due, counted in the code: the stop, the hour that it begins with, and rows of the hours since. It
 * leaves no trace.
 */
export const dispatcher = { perMonth: 31 * 24 * 60, seconds: 0.05, reads: 3 } as const

/**
 * A run of a schedule beside its reply, counted in the code: claim, row of the index before and after, and what became of it; sending and
 * receiving it, and ending its message; the account and the groups of its person; one function that tells them.
 */
export const scheduledRun = { writes: 6, reads: 6, queueRequests: 3, invocations: 2, tellSeconds: 1 } as const

/** The daily check for models that are shut down soon: the model's key, and one request to its server. */
export const modelCheck = { perMonth: 31, seconds: 1 } as const

export const assumed = {
  /** of a user, on a workday */
  turnsPerDay: 20,
  /** in the busiest hour there are as many turns as if all of a workday came within so many hours */
  busyHours: 2.7,
  /** replies at once come in bursts: so many times the average of the busiest hour */
  burst: 2,
  /** the message, and reading what the page shows again */
  requestsPerTurn: 1.9,
  /** turns per visit of the page */
  turnsPerVisit: 5,
  /** visits per user and month with an empty cache: the first, and one after each new version */
  freshVisitsPerUser: 3,
  /** duration of a call that does not stream; on a laptop it takes 5 to 40 ms */
  callSeconds: 0.1,
  documentSeconds: 3,
  /** since August 2025 Lambda bills the start of a function; here every call of a visit is a cold start */
  startSeconds: 0.6,
  /** Lambda's own lines about a call (start, report), and the gateway's */
  platformLogBytes: 1_100,
  /** sent to the model with a message: the conversation, instructions, tools */
  modelRequestBytes: 20_000,
  /** functions cache a secret for five minutes; here every turn misses the cache */
  secretCallsPerTurn: 2,
  /** each function requests the table's own key at most once in five minutes; here every call does */
  keyCallsPerCall: 1,
  /** the site, and the CDK's uploads for deploying it */
  deploymentGb: 0.2,
  mailsPerUser: 2,
} as const
