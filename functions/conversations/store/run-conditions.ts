/** Clauses of the conditions under which a run's item is written. */

/** No newer run has claimed the conversation. */
export const isSameRun = '#runId = :runId'
/** No other writer has resumed the run. */
export const isSameWriter = '#epoch = :epoch'
/** It has not ended, and recovery has not taken it for lost. */
export const isRunning = '#status = :running'
/** Nobody has resumed, stopped or deleted it. */
export const isWaiting = '#status = :waiting'

/** The condition under which all clauses hold. */
export const joinClauses = (...clauses: readonly string[]): string => clauses.join(' AND ')
