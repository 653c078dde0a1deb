/** How long functions wait for others, in ms. Tests on busy machines wait longer (`test/support/patient-limits.ts`). */
export const waitLimitsMs = {
  /** a reply, for the list of a server's tools; `toolListAgain` if there is an earlier list */
  toolList: 2_500,
  toolListAgain: 800,
  /** a request, for the keys that sign access tokens */
  signingKeys: 5_000,
  /** the document parser, for an object of the bucket in the same region, all attempts together */
  object: 6_000,
  /** a reply, for all documents that are being read before its model is asked; a statement over tables, for those that were not */
  reading: 120_000,
  readingAgain: 30_000,
}

/** A call that only reads, for the time that its server names (`Retry-After`), all attempts together. */
export const maxToolWaitMs = 20_000
