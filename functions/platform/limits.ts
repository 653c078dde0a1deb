/*
 * What AWS carries at most, in bytes, and what the product puts into one row or one answer. Two more limits bind without a number here: a
 * request's body has to fit into the event of a function, 6 MB, which every route's own limit keeps to (shared/routes.ts, limits.test.ts); a
 * streamed answer has 200 MB, which no reply reaches, and exports are links (ADR 0039). A size that is not named here is a choice of the product.
 */

const KB = 1024
const MB = 1024 * KB

/**
 * One item of the table, its attributes' names included.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
const maxItemBytes = 400 * KB
/** What one row of a longer value holds, beside its key and its other attributes. */
export const chunkBytes = maxItemBytes - 20 * KB

/**
 * The answer of a function that does not stream: 6 MB and a hundred bytes, as Lambda's own error says.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const maxBufferedResponseBytes = 6_291_556
/** What one page of messages takes in such an answer; its frame, and what is escaped once more, have the rest. */
export const pageBytes = 4 * MB
/**
 * What a value takes in a buffered answer: the runtime writes the answer's body, which is JSON already, as a string of its own JSON.
 * So a quotation mark in a text takes four bytes.
 */
export const responseBytes = (value: unknown) =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(value) ?? ''))

/** The JSON of the messages in one page of a shared conversation; a message is never cut, so a page of one may be larger. */
export const sharePageBytes = MB
