import type { TestOptions } from 'vitest'

/*
 * Options of a matrix whose cases mostly prove the same, such as each malformed body on each route: `npm test` runs every ninth one.
 */

/** `npm run test:all` runs the others, too. */
export const firstOfNine = (index: number): TestOptions => (index % 9 === 0 ? {} : { tags: 'long' })

/** `npm run test:all` runs every third one, `npm run test:trials` the others. */
export const tierOf = (index: number): TestOptions =>
  index % 3 === 0 ? firstOfNine(index) : { tags: 'trial' }
