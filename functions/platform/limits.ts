/*
 * Limits of AWS in bytes, and the sizes that the product derives from them. Two more limits need no number here: a request's body has to
 * fit into the event of a function, 6 MB, and every route's limit but that of recordings is lower (shared/routes.ts, limits.test.ts); a streamed response may have
 * 200 MB, which no reply reaches, and exports are links (ADR 0039).
 */

const KB = 1024
const MB = 1024 * KB

/**
 * One item of the table, its attributes' names included.
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
 */
const maxItemBytes = 400 * KB
/** Size of one chunk of a longer value; the row also has its key and other attributes. */
export const chunkBytes = maxItemBytes - 20 * KB

/**
 * Maximum response of a function that does not stream: 6 MB and a hundred bytes, according to Lambda's error.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
export const maxBufferedResponseBytes = 6_291_556
/** Size of one page of messages in such a response; the rest is for the envelope and for escaping. */
export const pageBytes = 4 * MB
/**
 * Size of a value in a buffered response: the runtime encodes the body, which is JSON, as a JSON string again. So a quotation mark in a
 * text takes four bytes.
 */
export const responseBytes = (value: unknown) =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(value) ?? ''))

/** Size of one page of a shared conversation; messages are never split, so a page of one may be larger. */
export const sharePageBytes = MB
