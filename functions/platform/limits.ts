/*
 * What AWS carries at most, in bytes, and what the product puts into one row or one answer. A size that is not named here is a choice of
 * the product (shared/limits.ts, shared/routes.ts), not a limit of the platform.
 */

const KB = 1024
const MB = 1024 * KB

/**
 * One item of the table, its attributes' names included.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
export const maxItemBytes = 400 * KB
/** What one row of a longer value holds, beside its key and its other attributes. */
export const chunkBytes = 380 * KB

/**
 * The event of a function, and so the request's body in it.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const maxEventBytes = 6 * MB
/** The answer of a function that does not stream: 6 MB and a hundred bytes, as Lambda's own error says. */
export const maxBufferedResponseBytes = 6_291_556
/** What one page of messages takes in such an answer; its frame, and what is escaped once more, have the rest. */
export const pageBytes = 4 * MB
/**
 * The answer of a function that streams.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html
 */
export const maxStreamedResponseBytes = 200 * MB

/**
 * What a value takes in a buffered answer: the runtime writes the answer's body, which is JSON already, as a string of its own JSON.
 * So a quotation mark in a text takes four bytes.
 */
export const responseBytes = (value: unknown) =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(value) ?? ''))
